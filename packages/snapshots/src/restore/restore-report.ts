import type { Change } from "../kinds/kind.ts";
import { type CheckpointType, type Entry, hashEntries, isSameState, type Manifest, octal } from "../manifest.ts";
import { describePath } from "../scope.ts";
import { describeForeign, type Foreign } from "./find-foreign.ts";
import type { PreparedRestore } from "./plan.ts";

/** What a restore did, in the words of the contract. */
export interface RestoreReport {
  readonly rolled_back: boolean;
  readonly restored_to: {
    readonly checkpoint_id: string;
    readonly checkpoint_type: CheckpointType;
    readonly timestamp: string;
  };
  readonly changes_reverted: readonly RevertedChange[];
  readonly verification: {
    readonly pre: string;
    readonly post: string;
    readonly checkpoint: string;
    readonly match: boolean;
  };
  /** The checkpoint that brings back what was there before; null if nothing was changed. */
  readonly undo: { readonly checkpoint_id: string; readonly restore_command: string } | null;
  /** Files that were added in scope since, and stay. */
  readonly kept: readonly string[];
  readonly warnings: readonly string[];
  readonly next_actions: readonly string[];
}

/** A restore, as far as it went. */
export interface RestoreOutcome extends PreparedRestore {
  readonly foreign: Foreign;
  /** What is there now. */
  readonly post: readonly Entry[];
  readonly undo: Manifest | null;
}

/** Reports a restore, done or only planned. */
export function reportRestore({ checkpoint, plan, wanted, look, foreign, post, undo }: RestoreOutcome): RestoreReport {
  const { manifest } = checkpoint;
  const isWhole = wanted.length === checkpoint.entries.length;
  const verification = hashesOf(look.now, post, { wanted, hash: isWhole ? manifest.tree : hashEntries(wanted) });
  const match = verification.post === verification.checkpoint;
  const left = manifest.excluded.length + manifest.skipped.length;
  return {
    rolled_back: match,
    restored_to: { checkpoint_id: manifest.id, checkpoint_type: manifest.type, timestamp: manifest.createdAt },
    changes_reverted: plan.changes.map(describeChange),
    verification: { ...verification, match },
    undo: undo === null ? null : { checkpoint_id: undo.id, restore_command: undo.restoreCommand },
    kept: plan.kept.map(({ path, type }) => describePath(path, { isOfFiles: type !== "value" })),
    warnings: [
      ...(foreign.isKnown ? [] : [NOBODY_KNOWS]),
      ...(foreign.changes.length === 0 ? [] : [`${describeForeign(foreign.changes)}: ${foreignAdvice(undo)}.`]),
      ...(plan.kept.length === 0 ? [] : [`${plan.kept.length} files have appeared since and were kept.`]),
      ...(left === 0 ? [] : [`${left} paths were never captured and were not touched.`]),
    ],
    next_actions: ["Make a new checkpoint before the next change."],
  };
}

/** The hash of each state; the same entries need be hashed only once. */
function hashesOf(
  pre: readonly Entry[],
  post: readonly Entry[],
  { wanted, hash }: { readonly wanted: readonly Entry[]; readonly hash: string },
) {
  const isSame = (entries: readonly Entry[]): boolean =>
    entries.length === wanted.length && entries.every((entry, index) => isSameEntry(entry, wanted[index]));
  const hashOf = (entries: readonly Entry[]): string => (isSame(entries) ? hash : hashEntries(entries));
  return { pre: hashOf(pre), post: hashOf(post), checkpoint: hash };
}

function isSameEntry(a: Entry, b: Entry | undefined): boolean {
  return b !== undefined && a.path === b.path && isSameState(a, b);
}

const NOBODY_KNOWS = "No work of an agent is known since the checkpoint, so every change counted as the agent's.";

function foreignAdvice(undo: Manifest | null): string {
  return undo === null ? "a restore takes --force" : `${undo.id} has what was there`;
}

/** What a restore did to one path. */
export interface RevertedChange {
  readonly file: string;
  readonly operation: "create" | "modify" | "delete" | "mode" | "replace";
  readonly summary: string;
}

/** A change in words. */
function describeChange({ from, to }: Change): RevertedChange {
  const isOfFiles = ![from.type, to.type].some((type) => type === "value" || type === "database");
  const file = describePath(to.path, { isOfFiles });
  const size = (bytes: number): string => `${bytes} bytes`;
  if (to.type === "absent") return { file, operation: "delete", summary: `removed (${from.type})` };
  if (from.type === "absent")
    return {
      file,
      operation: "create",
      summary: to.type === "file" ? `brought back, ${size(to.size)}` : `brought back (${to.type})`,
    };
  if (from.type !== to.type) return { file, operation: "replace", summary: `a ${from.type} gave way to a ${to.type}` };
  if (from.oid === to.oid)
    return { file, operation: "mode", summary: `permissions ${octal(from.mode)} → ${octal(to.mode)}` };
  return { file, operation: "modify", summary: `${size(from.size)} → ${size(to.size)}` };
}
