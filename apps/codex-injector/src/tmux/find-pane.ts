import { realpath } from "node:fs/promises";
import {
  foregroundOf,
  isCodexName,
  isCodexProgram,
  type Process,
  readOpenRollouts,
  readProcesses,
} from "./codex-processes.ts";
import type { Tmux, TmuxFault } from "./tmux.ts";

/** The pane of a thread, or why it cannot be found. */
export type FoundPane = PaneChoice | { readonly found: false; readonly reason: TmuxFault; readonly detail: string };

/** Finds the pane of a tmux server that shows a thread of Codex. */
export async function findPane(tmux: Tmux, thread: Thread, isOnlyThreadInFolder = false): Promise<FoundPane> {
  const gathered = await gatherPanes(tmux);
  if (!gathered.ok) return { found: false, reason: gathered.reason, detail: gathered.detail };
  return choosePane({ thread: await withRealPaths(thread), panes: gathered.panes, isOnlyThreadInFolder });
}

/** The system names folders and open files by their real paths. */
async function withRealPaths({ id, cwd, rolloutPath }: Thread): Promise<Thread> {
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  return { id, cwd: await real(cwd), rolloutPath: await real(rolloutPath) };
}

/** The thread of Codex whose pane is wanted. */
export interface Thread {
  readonly id: string;
  readonly cwd: string;
  readonly rolloutPath: string;
}

/** What is known about a pane. */
export interface PaneSighting {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly runsCodex: boolean;
  /** The rollouts of user threads that the pane's own Codex has open; null if unknown. */
  readonly openRollouts: readonly string[] | null;
}

/** The pane of a thread and by which means it is known, or why none is. */
export type PaneChoice =
  | { readonly found: true; readonly pane: string; readonly by: "title" | "rollout" | "folder" }
  | { readonly found: false; readonly reason: "none" | "ambiguous"; readonly detail: string };

/** What a pane is chosen from. */
export interface PaneQuestion {
  readonly thread: Thread;
  readonly panes: readonly PaneSighting[];
  /** No other thread is known to work in the thread's folder. */
  readonly isOnlyThreadInFolder: boolean;
}

/** Chooses the pane of a thread: by the id in its title, by the rollout its Codex writes, or by its folder. */
export function choosePane(question: PaneQuestion): PaneChoice {
  return byTitle(question) ?? byRollout(question) ?? byFolder(question);
}

function byTitle({ thread, panes }: PaneQuestion): PaneChoice | null {
  const titled = panes.filter(({ title }) => titleThread(title)?.(thread.id));
  // A Codex that was killed leaves its title behind.
  const [pane, ...more] = titled.length > 1 ? titled.filter(({ runsCodex }) => runsCodex) : titled;
  if (more.length > 0 || (!pane && titled.length > 0)) return ambiguous("have the thread's id in the title", titled);
  return pane ? { found: true, pane: pane.id, by: "title" } : null;
}

function byRollout({ thread, panes }: PaneQuestion): PaneChoice | null {
  const writers = panes.filter(
    (pane) => pane.openRollouts?.includes(thread.rolloutPath) && pane.runsCodex && !showsAnotherThread(pane, thread),
  );
  const [pane, ...more] = writers;
  if (!pane) return null;
  if (more.length > 0) return ambiguous("write the thread's rollout", writers);
  // After /new, Codex also keeps the rollout of the previous thread open.
  return pane.openRollouts?.length === 1
    ? { found: true, pane: pane.id, by: "rollout" }
    : ambiguous("hold several threads", writers);
}

function byFolder({ thread, panes, isOnlyThreadInFolder }: PaneQuestion): PaneChoice {
  const inFolder = panes.filter(
    (pane) =>
      pane.runsCodex && pane.path === thread.cwd && !pane.openRollouts?.length && !showsAnotherThread(pane, thread),
  );
  const [pane, ...more] = inFolder;
  if (!pane) return { found: false, reason: "none", detail: `No pane runs Codex for thread ${thread.id}` };
  if (more.length > 0) return ambiguous("run Codex in the thread's folder", inFolder);
  return isOnlyThreadInFolder
    ? { found: true, pane: pane.id, by: "folder" }
    : ambiguous("run Codex in a folder with several threads", inFolder);
}

function showsAnotherThread({ title }: PaneSighting, { id }: Thread): boolean {
  return titleThread(title)?.(id) === false;
}

/** The test whether an id is the one in a title; null for a title without an id. */
function titleThread(title: string): ((id: string) => boolean) | null {
  const [shown] = THREAD_ID.exec(title) ?? [];
  return shown === undefined ? null : (id) => id.startsWith(shown);
}

/**
 * A thread's id in a title, of which Codex shows the first 29 characters. Its first 13 are the time of birth, so that
 * fewer than these 18 would not distinguish threads that were created together.
 */
const THREAD_ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}[0-9a-f-]*/;

function ambiguous(what: string, panes: readonly PaneSighting[]): PaneChoice {
  return { found: false, reason: "ambiguous", detail: `${panes.map(({ id }) => id).join(", ")} ${what}` };
}

/** The panes of a tmux server, or why they could not be listed. */
export type GatheredPanes =
  | { readonly ok: true; readonly panes: readonly PaneSighting[] }
  | { readonly ok: false; readonly reason: TmuxFault; readonly detail: string };

/** Lists the living panes of a tmux server with what runs in them. */
export async function gatherPanes(tmux: Tmux): Promise<GatheredPanes> {
  const listed = await tmux(["list-panes", "-a", "-F", FORMAT]);
  if (!listed.ok) return listed;
  const processes = await readProcesses();
  // A window that two sessions share is listed twice.
  const lines = [...new Set(listed.stdout.split("\n").filter(Boolean))];
  return { ok: true, panes: await Promise.all(lines.filter(isAlive).map((line) => sightPane(line, processes))) };
}

const FORMAT = ["#{pane_dead}", "#{pane_id}", "#{pane_pid}", "pane_current_command", "pane_title", "pane_current_path"]
  .map((field) => (field.startsWith("#") ? field : `#{s/[\u0001-\u001F]/?/:${field}}`))
  .join("\t");

function isAlive(line: string): boolean {
  return line.startsWith("0\t");
}

async function sightPane(line: string, processes: readonly Process[] | null): Promise<PaneSighting> {
  const [, id = "", pid, command = "", title = "", path = ""] = line.split("\t");
  const inForeground = processes && foregroundOf(processes, Number(pid));
  const codexPids = inForeground?.filter(({ name }) => isCodexName(name)).map((process) => process.pid);
  return {
    id,
    title,
    path,
    runsCodex: isCodexProgram({ command, foreground: inForeground?.map(({ name }) => name) ?? null }),
    openRollouts: codexPids ? await readOpenRollouts(codexPids) : null,
  };
}
