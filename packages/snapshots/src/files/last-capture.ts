import { createHash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkTree } from "../git/find-work-tree.ts";
import type { IgnoreRules } from "../git/ignore-rules.ts";
import type { Changes } from "../git/read-changes.ts";
import type { StashParts } from "../git/repeat-stash-commit.ts";
import type { Limits } from "../limits.ts";
import type { Omission } from "../manifest/manifest.ts";
import type { BytePath } from "../paths/byte-path.ts";
import type { ScopeItem } from "../request/parse-scope.ts";
import type { StoreLayout } from "../store/store-layout.ts";
import { writeWhole } from "../store/write-whole.ts";
import { createLooker, type Looker } from "./look-at.ts";
import { isRacy, signatureOf } from "./signature.ts";

/**
 * The last capture of a scope, and by what one can tell that nothing has changed since.
 * A file that git found to be as its index says, and finds so again with the same index, has not been written to: its
 * times are those of the index. git compares whole seconds, so a file that was touched in the second of the index or
 * later is looked at, and so is everything else that git does not vouch for.
 */
export interface LastCapture {
  readonly tree: string;
  /** What the disk said of the index. */
  readonly index: string;
  readonly changes: Changes;
  readonly entries: number;
  readonly files: number;
  readonly lines: number;
  readonly bytes: number;
  readonly excluded: readonly Omission[];
  readonly skipped: readonly Omission[];
  readonly assumptions: readonly string[];
  /** What git does not vouch for, with what the disk said of it. */
  readonly watched: Signatures;
  /** Captured folders with their permissions. */
  readonly modes: readonly (readonly [path: BytePath, mode: number])[];
  /** By what one can tell that no untracked file has come or gone; null where only git can. */
  readonly walked: WalkedSignatures | null;
  /** The commit that was made of it; null where it cannot be made again. */
  readonly stash: StashParts | null;
}

/** Paths with what the disk said of them; null for nothing there. */
export type Signatures = readonly (readonly [path: BytePath, signature: string | null])[];

/** Where git looks for untracked files, and by which rules. */
export interface WalkedSignatures {
  readonly folders: Signatures;
  readonly rules: IgnoreRules;
}

/** The last capture of a scope, if there was one. */
export function readLastCapture(layout: StoreLayout, key: string): LastCapture | null {
  try {
    const [format, last] = JSON.parse(readFileSync(recordPath(layout, key), "utf8")) as [unknown, LastCapture];
    // Written by writeLastCapture, in one step.
    return format === FORMAT ? last : null;
  } catch {
    return null;
  }
}

export function writeLastCapture(layout: StoreLayout, key: string, last: LastCapture): void {
  writeWhole(recordPath(layout, key), JSON.stringify([FORMAT, last]), { tmp: layout.tmp, isFlushed: false });
}

const FORMAT = "last-capture v2";

function recordPath(layout: StoreLayout, key: string): string {
  return join(layout.cache, `${key}.last`);
}

/** The name of the cache of a root, a scope and limits. */
export function captureKey(root: string, scope: readonly ScopeItem[], limits: Limits): string {
  return createHash("sha256")
    .update(JSON.stringify([root, scope, limits]))
    .digest("hex")
    .slice(0, 32);
}

/** Whether folders are there with the permissions they had. */
export function haveSameModes({ look }: Looker, modes: LastCapture["modes"]): boolean {
  return modes.every(([path, mode]) => {
    const stats = look(path);
    return stats?.isDirectory() === true && Number(stats.mode & 0o7777n) === mode;
  });
}

/** Whether paths are as they were, by what the disk says of them. */
export function areSame({ look }: Looker, signatures: Signatures): boolean {
  return signatures.every(([path, signature]) => {
    const stats = look(path);
    return (stats === null ? null : signatureOf(stats)) === signature;
  });
}

/**
 * What the disk says of paths, to be compared later; null where one of them was touched after a moment, or so short a time
 * before it that a later change might not show.
 */
export function settledSignatures(root: string, paths: Iterable<BytePath>, momentNs: bigint): Signatures | null {
  const { look } = createLooker(root);
  const signatures: (readonly [BytePath, string | null])[] = [];
  for (const path of new Set(paths)) {
    const stats = look(path);
    if (stats !== null && isRacy(stats, momentNs)) return null;
    signatures.push([path, stats === null ? null : signatureOf(stats)]);
  }
  return signatures;
}

/** The index of a work tree, by what the disk says of it. */
export interface IndexLook {
  readonly signature: string;
  /** The second it was written in, in nanoseconds; a file touched then or later may change without git seeing it. */
  readonly secondNs: bigint;
  /** Whether it was written so short a time ago that it may be written again without that showing. */
  readonly isRacy: (momentNs: bigint) => boolean;
}

/** Looks at the index. */
export function lookAtIndex({ gitDir }: WorkTree): IndexLook {
  const stats = lstatSync(join(gitDir, "index"), { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return { signature: "none", secondNs: 0n, isRacy: () => false };
  return {
    signature: signatureOf(stats),
    secondNs: stats.mtimeNs - (stats.mtimeNs % 1_000_000_000n),
    isRacy: (momentNs) => isRacy(stats, momentNs),
  };
}
