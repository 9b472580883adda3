import { realpath } from "node:fs/promises";
import type { Tmux, TmuxFault } from "../tmux/tmux.ts";
import { choosePane, type PaneChoice, type Thread } from "./choose-pane.ts";
import { gatherPanes } from "./gather-panes.ts";

/** The pane of a thread, or why there is none or it cannot be known. */
export type FoundPane = PaneChoice | { readonly found: false; readonly reason: TmuxFault; readonly detail: string };

/** Finds the pane of a tmux server in which a thread of Codex is on the screen. */
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
