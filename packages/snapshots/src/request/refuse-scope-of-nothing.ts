import { readdirSync } from "node:fs";
import type { CheckpointType } from "../checkpoint-type.ts";
import { NothingCaptured } from "../create/nothing-captured.ts";
import { listByGit } from "../files/list-by-git.ts";
import { listByWalking } from "../files/list-by-walking.ts";
import { refuseBehindLinks, sortScope } from "../files/sort-scope.ts";
import { type BytePath, diskPath } from "../paths/byte-path.ts";
import type { Place } from "../place.ts";
import type { ScopeItem } from "./parse-scope.ts";

/**
 * Refuses a scope of files that stands for nothing: a glob without a match, folders without a file, a way through a link.
 * The capture sees the same; this is asked where there is no store yet, so that a refusal does not leave one.
 */
export async function refuseScopeOfNothing(
  scope: readonly ScopeItem[],
  { root, tree, avoid }: Place,
  type: CheckpointType,
): Promise<void> {
  if (type !== "git_stash" && type !== "file_backup") return;
  const sorted = sortScope(root, scope);
  refuseBehindLinks(root, sorted);
  const { named, folders, globs } = sorted;
  const matched = { named: [], folders: [], globs };
  if (globs.length > 0 && type === "git_stash" && tree !== null) await listByGit(tree, matched, avoid);
  else if (globs.length > 0) listByWalking(root, matched, avoid);
  if (named.length + globs.length === 0 && !folders.some((folder) => hasFile(root, folder, avoid)))
    throw new NothingCaptured({ excluded: [], skipped: [] });
}

/** Whether something that is no folder lies anywhere below one; the first is enough. */
function hasFile(root: string, folder: BytePath, avoid: ReadonlySet<BytePath>): boolean {
  const folders = [folder];
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    for (const child of readdirSync(diskPath(root, current), { withFileTypes: true, encoding: "latin1" })) {
      const path = current === "" ? child.name : `${current}/${child.name}`;
      if (avoid.has(path) || child.name === ".git") continue;
      if (!child.isDirectory()) return true;
      folders.push(path);
    }
  }
  return false;
}
