import {
  followRollout,
  type RolloutEvent,
  type RolloutPosition,
  type RolloutState,
} from "@agent-checkpoint/transcript/rollouts";
import { listDay, listRollouts, type RolloutFile, statOrNull } from "./list-rollouts.ts";
import { type DayWatch, type WatchDays, watchDays } from "./watch-days.ts";

/** What to watch, and the callbacks. */
export interface RolloutWatchOptions {
  /** The folder of the sessions, which need not exist yet. */
  readonly sessions: string;
  /** Called with the events of a rollout, and its state after them. */
  readonly onEvents: (path: string, events: readonly RolloutEvent[], state: RolloutState) => void;
  readonly onWarning: (warning: string) => void;
  readonly paces?: Partial<Paces> | undefined;
  readonly watchDays?: WatchDays | undefined;
}

/** How often things happen, in milliseconds. */
export interface Paces {
  /** How long changes are gathered before they are read. */
  readonly gather: number;
  /** How often the folder of the sessions and the clock are checked: is the folder there, has the clock jumped? */
  readonly beat: number;
  /** How often all files are checked for changes that the system did not report. */
  readonly sweep: number;
  /** The same if the system reports nothing. */
  readonly poll: number;
}

/** Rollouts being watched. */
export interface RolloutWatch {
  readonly stop: () => Promise<void>;
}

const PACES: Paces = { gather: 50, beat: 2000, sweep: 60_000, poll: 2000 };

/**
 * Tells what happens in the rollouts below a folder, from now on.
 *
 * No file stays open, and only the size of an idle rollout is stored. What the system does not report
 * (a machine that slept, a full queue of events, a network's folder) is found by looking at all files once in a while.
 */
export function watchRollouts({ sessions, onEvents, onWarning, ...options }: RolloutWatchOptions): RolloutWatch {
  const paces = { ...PACES, ...options.paces };
  /** How far each rollout was read, or how many of its bytes were there before we came. */
  const known = new Map<string, RolloutPosition | number>();
  const changed = new Set<string>();
  let gathering: NodeJS.Timeout | null = null;
  let watch: (DayWatch & { readonly folder: string }) | null = null;
  let stopping: Promise<unknown> = Promise.resolve();
  let isPolling = false;
  let beatAt = Date.now();
  let beatsToSweep = beatsOf(paces.sweep);

  for (const { path, size } of listRollouts(sessions)) known.set(path, size);
  attach();
  const beating = setInterval(beat, paces.beat);
  return {
    stop: async () => {
      clearInterval(beating);
      if (gathering !== null) clearTimeout(gathering);
      detach();
      await stopping;
    },
  };

  /** Watches the folder that is there now, which may have come, gone or been replaced. */
  function attach(): void {
    const folder = isPolling ? null : identityOf(sessions);
    if (folder === (watch?.folder ?? null)) return;
    detach();
    if (folder === null) return;
    const start = options.watchDays ?? watchDays;
    watch = {
      folder,
      ...start(sessions, { onFile: gather, onDay: (day) => compare(listDay(day)), onError: fallBack }),
    };
  }

  function detach(): void {
    if (watch !== null) stopping = Promise.all([stopping, watch.stop()]);
    watch = null;
  }

  function fallBack(error: unknown): void {
    if (isPolling) return;
    isPolling = true;
    beatsToSweep = 0;
    onWarning(`The system does not report changes in ${sessions} (${String(error)}): looking at all rollouts instead.`);
  }

  function gather(path: string): void {
    changed.add(path);
    gathering ??= setTimeout(() => {
      gathering = null;
      const paths = [...changed];
      changed.clear();
      for (const path of paths) look(path);
    }, paces.gather);
  }

  function beat(): void {
    const now = Date.now();
    const hasLeapt = Math.abs(now - beatAt) > LEAP * paces.beat;
    beatAt = now;
    attach();
    beatsToSweep -= 1;
    if (hasLeapt || beatsToSweep <= 0) sweep();
  }

  function sweep(): void {
    beatsToSweep = beatsOf(isPolling ? paces.poll : paces.sweep);
    const present = new Set<string>();
    compare(noting(present, listRollouts(sessions)));
    for (const path of known.keys()) if (!present.has(path)) known.delete(path);
  }

  function compare(files: Iterable<RolloutFile>): void {
    for (const file of files) if (isNews(file, known.get(file.path))) look(file.path);
  }

  function look(path: string): void {
    const reading = followRollout(path, known.get(path) ?? 0);
    if (reading.status === "read") {
      known.set(path, reading.position);
      if (reading.events.length > 0) onEvents(path, reading.events, reading.position.state);
    } else if (reading.reason === "missing") {
      known.delete(path);
    }
  }

  function beatsOf(pace: number): number {
    return Math.ceil(pace / paces.beat);
  }
}

/** How many beats may be missing before a machine must have slept. */
const LEAP = 3;

/** A folder that is created again may get the inode number of the deleted one. */
function identityOf(folder: string): string | null {
  const stats = statOrNull(folder);
  return stats?.isDirectory() === true ? `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` : null;
}

function isNews({ size, inode }: RolloutFile, known: RolloutPosition | number | undefined): boolean {
  return typeof known === "object" ? size !== known.scannedTo || inode !== known.inode : size !== known;
}

function* noting(paths: Set<string>, files: Iterable<RolloutFile>): Generator<RolloutFile, void, undefined> {
  for (const file of files) {
    paths.add(file.path);
    yield file;
  }
}
