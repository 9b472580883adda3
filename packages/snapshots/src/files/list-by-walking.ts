import { lstatSync } from "node:fs";
import { byBytes, type BytePath, diskPath, encodePath } from "../paths/byte-path.ts";
import { SafetyError } from "../trouble.ts";
import type { Listing } from "./listing.ts";
import { createLooker } from "./look-at.ts";
import type { Glob, SortedScope } from "./sort-scope.ts";
import { walkFolder } from "./walk-folder.ts";

/** The paths of a scope as they lie on the disk, ignored or not, with every folder. */
export function listByWalking(root: string, scope: SortedScope, avoid: ReadonlySet<BytePath>): Listing {
  const paths = new Set<BytePath>(scope.named);
  for (const folder of scope.folders) {
    if (folder !== "") paths.add(folder);
    for (const path of walkFolder(root, folder, avoid)) paths.add(path);
  }
  for (const glob of scope.globs) for (const path of matchesOf(root, glob, avoid)) paths.add(path);
  return {
    paths: [...paths].sort(byBytes),
    named: new Set(scope.named),
    deleted: new Set(),
    nested: new Set(),
    hasUnwatched: false,
    ignored: [],
    assumptions: [],
    changes: null,
  };
}

/** What a glob matches; nothing is a mistake in it. */
function matchesOf(root: string, glob: Glob, avoid: ReadonlySet<BytePath>): readonly BytePath[] {
  const matched = createLooker(root).isFolder(glob.base)
    ? walkFolder(root, glob.base, avoid).filter((path) => glob.matches(path))
    : [];
  refuseEmpty(glob, matched);
  return matched.filter((path) => lstatSync(diskPath(root, path), { throwIfNoEntry: false })?.isDirectory() !== true);
}

/** Refuses a glob that matches nothing: a mark that covers nothing would be trusted. */
export function refuseEmpty(glob: Glob, matched: readonly BytePath[]): void {
  if (matched.length > 0 || glob.isOptional === true) return;
  throw new SafetyError(
    "nothing-matched",
    `Nothing matches \`${encodePath(glob.pattern)}\`.`,
    "Correct the pattern, or name the file itself if it is yet to be made.",
  );
}
