import { type IndexLook, lookAtIndex } from "../files/last-capture.ts";
import { pathsOf } from "../files/list-by-git.ts";
import { refuseBehindLinks, type SortedScope, sortScope } from "../files/sort-scope.ts";
import type { WorkTree } from "../git/find-work-tree.ts";
import { askUnstaged } from "../git/read-changes.ts";
import type { GitResult } from "../git/run-git.ts";
import type { Place } from "../place.ts";
import type { ScopeItem } from "../request/parse-scope.ts";

/** The first question to git, which takes longest: which files differ from the index. */
export interface Begun {
  readonly sorted: SortedScope;
  /** When it was asked, in nanoseconds. */
  readonly momentNs: bigint;
  /** The index as it was then. */
  readonly index: IndexLook;
  readonly unstaged: Promise<GitResult>;
}

/** Asks git while the rest of a checkpoint is still being prepared. */
export function beginByGit(tree: WorkTree, place: Place, scope: readonly ScopeItem[]): Begun {
  const sorted = sortScope(place.root, scope);
  refuseBehindLinks(place.root, sorted);
  const momentNs = BigInt(Date.now()) * 1_000_000n;
  return { sorted, momentNs, index: lookAtIndex(tree), unstaged: askUnstaged(tree, pathsOf(sorted)) };
}
