import type { BytePath } from "../paths/byte-path.ts";
import type { Changes } from "./read-changes.ts";

/** How many of the captured paths differ from HEAD, by what git says of their times and contents. */
export function countUncommitted(changes: Changes, isCaptured: (path: BytePath) => boolean): number {
  const changed = new Set([
    ...changes.staged.map(({ path }) => path),
    ...changes.unstaged.map(({ path }) => path),
    ...changes.untracked,
  ]);
  return [...changed].filter(isCaptured).length;
}
