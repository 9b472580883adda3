import { areSame, haveSameModes, type LastCapture, lookAtIndex } from "../files/last-capture.ts";
import { createLooker } from "../files/look-at.ts";
import { countUncommitted } from "../git/count-uncommitted.ts";
import type { WorkTree } from "../git/find-work-tree.ts";
import { areSameRules } from "../git/ignore-rules.ts";
import { lookAtHead } from "../git/look-at-head.ts";
import { parseNames, parseRawDiff } from "../git/raw-diff.ts";
import { askUntracked, branchOf, outputOf } from "../git/read-changes.ts";
import { isStashKept } from "../git/repeat-stash-commit.ts";
import type { GitResult } from "../git/run-git.ts";
import type { Entry } from "../manifest/entry.ts";
import { type BytePath, decodePath } from "../paths/byte-path.ts";
import type { Place } from "../place.ts";
import { arePacksComplete } from "../store/are-packs-complete.ts";
import { isTreeWhole } from "../store/is-tree-whole.ts";
import { loadTree } from "../store/load-checkpoint.ts";
import type { GitCapture } from "./capture-by-git.ts";
import type { Capture, Proven } from "./kind.ts";
import { recordWalked } from "./record-capture.ts";

export interface AgainRequest {
  readonly tree: WorkTree;
  readonly place: Place;
  readonly paths: readonly BytePath[];
  readonly areas: readonly BytePath[];
  /** What git was asked already. */
  readonly unstaged: Promise<GitResult>;
  /** When that was. */
  readonly momentNs: bigint;
  readonly otherwise: Proven["otherwise"];
  readonly remember: (last: LastCapture) => void;
}

/**
 * A capture that takes over the last one, which was of the same index, as far as a look at the disk can tell; null where
 * it tells otherwise. Whether it holds shows when git has answered.
 */
export function captureAgain(last: LastCapture, request: AgainRequest): Capture | null {
  const { tree, place, paths, areas, unstaged, momentNs, otherwise, remember } = request;
  const { stash } = last;
  if (stash === null || !isStashKept(place.layout, stash) || lookAtHead(tree) !== last.changes.head) return null;
  const looker = createLooker(place.root);
  // A folder in which nothing came or went has no new untracked file, as long as git ignores the same ones.
  const walked = last.walked !== null && areSame(looker, last.walked.folders) ? last.walked : null;
  if ((walked === null && !haveSameModes(looker, last.modes)) || !areSame(looker, last.watched)) return null;
  const rules = walked === null ? null : areSameRules(tree, walked.rules);
  const untracked = walked === null ? askUntracked(tree, paths) : null;
  let isWhole: boolean | null = null;
  const isProven = (): boolean => (isWhole ??= isTreeWhole(place.layout, last.tree));
  let entries: readonly Entry[] | null = null;
  // Of a tree that is damaged nothing comes to exist: the guess does not hold.
  const readEntries = (): readonly Entry[] =>
    (entries ??= isProven() ? loadTree(place.layout, { id: stash.id, tree: last.tree }) : []);
  let isWalkedKnown = walked !== null;
  const isUntrackedSame = async (): Promise<boolean> => {
    if (await rules) return true;
    isWalkedKnown = false;
    return isEqual(parseNames(outputOf(await (untracked ?? askUntracked(tree, paths)))), last.changes.untracked);
  };
  const changes = { ...last.changes, branch: branchOf(tree) };
  const leftOut = new Set([...last.excluded, ...last.skipped].map(({ path }) => decodePath(path)));
  const context: GitCapture = { changes, nested: new Set(), stash };
  return {
    get entries() {
      return readEntries();
    },
    stateKeys: [],
    excluded: last.excluded,
    skipped: last.skipped,
    assumptions: last.assumptions,
    lines: last.lines,
    bytes: last.bytes,
    uncommitted: countUncommitted(changes, (path) => !leftOut.has(path)),
    details: {},
    proven: {
      tree: last.tree,
      entries: last.entries,
      files: last.files,
      holds: async () =>
        isProven() &&
        arePacksComplete(place.layout) &&
        isEqual(parseRawDiff(outputOf(await unstaged)), last.changes.unstaged) &&
        (await isUntrackedSame()) &&
        lookAtIndex(tree).signature === last.index &&
        lookAtHead(tree) === last.changes.head,
      otherwise,
    },
    remember: async () => {
      if (isWalkedKnown) return;
      const listed = readEntries().map(({ path }) => path);
      remember({ ...last, walked: await recordWalked(tree, { areas, listed, avoid: place.avoid, momentNs }) });
    },
    context,
  };
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
