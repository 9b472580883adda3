import { lstatSync, readdirSync } from "node:fs";
import { type BytePath, byBytes, diskPath, encodePath } from "../paths/byte-path.ts";
import { SafetyError } from "../trouble.ts";
import { createLooker } from "./entry-at.ts";
import type { Glob, SortedScope } from "./sort-scope.ts";
import type { Changes } from "../git/read-changes.ts";

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

/**
 * Every path below a folder: folders, files, links and the rest; links are not followed, paths to avoid are left out.
 * What is in a `.git` is left out too, and its name only given where that is asked for.
 */
export function walkFolder(
  root: string,
  folder: BytePath,
  avoid: ReadonlySet<BytePath>,
  { namesGit = false }: { readonly namesGit?: boolean } = {},
): readonly BytePath[] {
  const found: BytePath[] = [];
  const folders = [folder];
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    for (const child of readdirSync(diskPath(root, current), { withFileTypes: true, encoding: "latin1" })) {
      const path = current === "" ? child.name : `${current}/${child.name}`;
      const isGit = child.name === ".git";
      if (avoid.has(path) || (isGit && !namesGit)) continue;
      found.push(path);
      if (isGit) continue;
      if (child.isDirectory()) folders.push(path);
    }
  }
  return found;
}

/** The paths that a scope stands for. */
export interface Listing {
  /** In byte order, without repetition. */
  readonly paths: readonly BytePath[];
  /** Those that were named one by one: that they are absent is recorded, and that they cannot be read refuses the checkpoint. */
  readonly named: ReadonlySet<BytePath>;
  /** Those that git knows and that are gone: their absence is recorded too. */
  readonly deleted: ReadonlySet<BytePath>;
  /** Those inside a repository of its own. */
  readonly nested: ReadonlySet<BytePath>;
  /** Whether git is configured to skip some: to assume them unchanged, or to leave them out of the work tree. */
  readonly hasUnwatched: boolean;
  /** What git ignores in the listed folders; a folder stands for all that is in it. */
  readonly ignored: readonly BytePath[];
  readonly assumptions: readonly string[];
  readonly changes: Changes | null;
}
