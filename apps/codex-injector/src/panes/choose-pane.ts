/** A thread of Codex that a pane is looked for. */
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
  /** The rollouts of user threads that the pane's own Codex holds open; null where the system does not tell. */
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
  // After /new, Codex keeps the rollout of the thread before open as well.
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
 * fewer than these 18 would not tell threads apart that were born together.
 */
const THREAD_ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}[0-9a-f-]*/;

function ambiguous(what: string, panes: readonly PaneSighting[]): PaneChoice {
  return { found: false, reason: "ambiguous", detail: `${panes.map(({ id }) => id).join(", ")} ${what}` };
}
