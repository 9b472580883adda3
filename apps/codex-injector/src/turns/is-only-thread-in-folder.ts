import { statSync } from "node:fs";
import { followRollout } from "@agent-checkpoint/transcript/rollouts";
import { listRollouts } from "../rollouts/list-rollouts.ts";

const OPEN_FOR_MS = 7 * 24 * 60 * 60_000;

/**
 * Whether a folder has had one interactive thread only in the last week.
 * An older one may still be on a screen, but not on one in use.
 */
export function isOnlyThreadInFolder(sessions: string, folder: string, now: Date): boolean {
  const ids = new Set<string>();
  for (const { path } of listRollouts(sessions)) {
    if (now.getTime() - modifiedAt(path) > OPEN_FOR_MS) continue;
    const reading = followRollout(path, Number.POSITIVE_INFINITY);
    const thread = reading.status === "read" ? reading.position.state.thread : null;
    if (thread?.kind === "interactive" && thread.cwd === folder) ids.add(thread.id);
    if (ids.size > 1) return false;
  }
  return ids.size === 1;
}

function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
