import { createHash, hash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkTree } from "../git/find-work-tree.ts";
import type { Changes } from "../git/read-changes.ts";
import type { Limits } from "../limits.ts";
import type { Entry } from "../manifest/entry.ts";
import { parseStream } from "../manifest/canonical-stream.ts";
import type { Omission } from "../manifest/manifest.ts";
import { type BytePath, decodePath, diskPath, encodePath } from "../paths/byte-path.ts";
import type { ScopeItem } from "../request/parse-scope.ts";
import { treePath } from "../store/load-checkpoint.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { writeWhole } from "../store/write-whole.ts";
import { deletedPaths } from "./list-by-git.ts";
import { createLooker } from "./look-at.ts";
import { signatureOf } from "./signature.ts";

/**
 * The last capture of a scope, and by what one can tell that nothing has changed since.
 * A file that git found to be as its index says, and finds so again with the same index, has not been written to:
 * its times are those of the index. Everything else is looked at.
 */
export interface LastCapture {
  readonly tree: string;
  readonly index: string;
  readonly changes: string;
  readonly entries: number;
  readonly files: number;
  readonly lines: number;
  readonly bytes: number;
  /** The entries of paths that differ from the index, with encoded paths: a commit needs no others. */
  readonly changed: readonly Entry[];
  readonly excluded: readonly Omission[];
  readonly skipped: readonly Omission[];
  readonly assumptions: readonly string[];
  /** What git does not vouch for, with what the disk said of it; null for nothing there. */
  readonly watched: readonly (readonly [path: string, signature: string | null])[];
  /** Folders with their permissions. */
  readonly folders: readonly (readonly [path: string, mode: number])[];
}

/** A capture whose tree was proven by its hash. */
export interface LoadedCapture {
  readonly last: LastCapture;
  /** Reads the tree, which for a hundred thousand files takes as long as looking at them. */
  readonly readEntries: () => readonly Entry[];
}

/** The last capture of a scope, if there was one and its tree is whole. */
export function readLastCapture(layout: StoreLayout, key: string): LoadedCapture | null {
  try {
    // Written by writeLastCapture, in one step.
    const last = JSON.parse(readFileSync(join(layout.cache, `${key}.last`), "utf8")) as LastCapture;
    const bytes = readFileSync(treePath(layout, last.tree));
    if (`sha256:${hash("sha256", bytes)}` !== last.tree) return null;
    let entries: readonly Entry[] | null = null;
    return { last, readEntries: () => (entries ??= parseStream(bytes) ?? []) };
  } catch {
    return null;
  }
}

export function writeLastCapture(layout: StoreLayout, key: string, last: LastCapture): void {
  writeWhole(join(layout.cache, `${key}.last`), JSON.stringify(last), { tmp: layout.tmp, isFlushed: false });
}

/** The name of the cache of a root, a scope and limits. */
export function captureKey(root: string, scope: readonly ScopeItem[], limits: Limits): string {
  return createHash("sha256")
    .update(JSON.stringify([root, scope, limits]))
    .digest("hex")
    .slice(0, 32);
}

/** Whether git says the same as at a capture, of the same index. */
export function isSameToGit(
  last: LastCapture,
  { tree, changes }: { readonly tree: WorkTree; readonly changes: Changes },
): boolean {
  return last.index === indexSignature(tree) && last.changes === changesKey(changes);
}

/** Whether what git does not vouch for is as it was at a capture. */
export function isSameToLookAt(last: LastCapture, root: string): boolean {
  const { look } = createLooker(root);
  return (
    last.folders.every(([path, mode]) => folderMode(diskPath(root, decodePath(path))) === mode) &&
    last.watched.every(([path, signature]) => {
      const stats = look(decodePath(path));
      return (stats === null ? null : signatureOf(stats)) === signature;
    })
  );
}

/** The permissions of a folder; null where there is none. */
function folderMode(path: string | Buffer): number | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true ? stats.mode & 0o7777 : null;
}

/** What the disk says of the index. */
export function indexSignature({ gitDir }: WorkTree): string {
  const stats = lstatSync(join(gitDir, "index"), { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "none" : signatureOf(stats);
}

/** What git said of the files, in one hash; the commit that HEAD stands at does not matter to them. */
export function changesKey(changes: Changes): string {
  return hash("sha256", JSON.stringify([changes.unstaged, changes.untracked, [...deletedPaths(changes)]]));
}

/** What is to be looked at next time: all that git does not vouch for. */
export function watchedPaths(root: string, paths: Iterable<BytePath>): LastCapture["watched"] {
  const { look } = createLooker(root);
  return [...new Set(paths)].map((path) => {
    const stats = look(path);
    return [encodePath(path), stats === null ? null : signatureOf(stats)] as const;
  });
}
