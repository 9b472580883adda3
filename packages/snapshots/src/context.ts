import type { Sources } from "./kinds/kind.ts";
import { type Place, type PlaceOptions, findPlace } from "./place.ts";
import type { StateAdapter } from "./state/state-adapter.ts";

/** The context of every call: place, session and callbacks. */
export interface SafetyOptions extends PlaceOptions {
  /** The words that start the program, for the commands that are printed; by default `checkpoint`. */
  readonly program?: readonly string[];
  /** The agent's session, if there is one. */
  readonly session?: string | null;
  readonly limits?: Partial<Limits>;
  readonly now?: () => Date;
  readonly progress?: ReportProgress;
  /** Called between steps, so that a test can end the process there. */
  readonly step?: (name: string) => void;
  /** How long another process may hold the store. */
  readonly lockWaitMs?: number;
  /** After how many days the snapshot that undoes a restore expires; by default 30. */
  readonly undoDays?: number;
  /** The command line for the audit; none is written without it. */
  readonly auditAs?: string;
  /** Where `state:` keys live; by default our own store in `home`. */
  readonly state?: StateAdapter;
  /** The variables that database programs are started with; by default this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long to wait for other connections to a database before it is restored. */
  readonly databaseWaitMs?: number;
}

/** The options with everything filled in. */
export interface Context {
  readonly place: Place;
  readonly program: readonly string[];
  readonly session: string | null;
  readonly limits: Limits;
  readonly now: () => Date;
  readonly progress: ReportProgress;
  readonly step: (name: string) => void;
  readonly lockWaitMs: number;
  readonly undoDays: number;
  readonly sources: Sources;
}

/** Fills in what was not given. */
export async function contextOf(options: SafetyOptions): Promise<Context> {
  return {
    place: await findPlace(options),
    program: options.program ?? ["checkpoint"],
    session: options.session ?? null,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    now: options.now ?? (() => new Date()),
    progress: options.progress ?? (() => undefined),
    step: options.step ?? (() => undefined),
    lockWaitMs: options.lockWaitMs ?? 30_000,
    undoDays: options.undoDays ?? 30,
    sources: {
      home: options.home,
      state: options.state ?? null,
      env: options.env ?? process.env,
      databaseWaitMs: options.databaseWaitMs ?? 10_000,
    },
  };
}

/** How much a checkpoint takes at most; what does not fit is listed as skipped. */
export interface Limits {
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly files: number;
  readonly millis: number;
  /** How much of a file is searched for secrets. */
  readonly scanBytes: number;
}

export const DEFAULT_LIMITS: Limits = {
  fileBytes: 100 * 1024 * 1024,
  totalBytes: 4 * 1024 * 1024 * 1024,
  files: 500_000,
  millis: 10 * 60_000,
  scanBytes: 1024 * 1024,
};

/** How far a long step has come. */
export interface Progress {
  readonly step: "reading" | "drilling" | "verifying" | "restoring";
  readonly done: number;
  readonly total: number;
}

export type ReportProgress = (progress: Progress) => void;
