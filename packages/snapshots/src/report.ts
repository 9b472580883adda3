import { type CheckpointType, count, type Counts, type LeftOut, type Manifest, type Omission } from "./manifest.ts";
import type { BytePath } from "./paths.ts";
import type { StoreLayout } from "./place.ts";
import { describePath, itemOfPath } from "./scope.ts";
import { refOf } from "./store.ts";

/** The answer to a request, in the words of the contract. */
export interface CheckpointReport {
  readonly checkpoint_created: boolean;
  readonly checkpoint: {
    readonly id: string;
    readonly type: CheckpointType;
    readonly created_at: string;
    readonly scope: { readonly files: readonly string[]; readonly state_keys: readonly string[] };
    readonly restore_command: string;
    readonly expiry: string | null;
  } | null;
  readonly pre_mutation_state: { readonly hash: string | null; readonly summary: string };
  readonly next_safe_actions: readonly string[];
  readonly confidence: number;
  /** What the confidence says. */
  readonly confidence_basis: string;
  readonly evidence_anchors: readonly string[];
  readonly assumptions: readonly string[];
  readonly excluded: readonly Omission[];
  readonly skipped: readonly Omission[];
}

/** The report of a checkpoint that exists, with the paths of everything in it but folders. */
export function reportOf(manifest: Manifest, paths: readonly BytePath[], layout: StoreLayout): CheckpointReport {
  const { id, type, tree, drill } = manifest;
  const left = manifest.excluded.length + manifest.skipped.length;
  const verify = manifest.restoreCommand.replace(" snapshot restore ", " snapshot verify ");
  const drilled = `${drill.entries + drill.provenBefore} of ${manifest.counts.entries} entries restored in a drill`;
  return {
    checkpoint_created: true,
    checkpoint: {
      id,
      type,
      created_at: manifest.createdAt,
      scope: scopeOf(type, paths),
      restore_command: manifest.restoreCommand,
      expiry: manifest.expiresAt,
    },
    pre_mutation_state: { hash: tree, summary: manifest.summary },
    next_safe_actions: [
      "edit: change what is in scope",
      ...(left === 0 ? [] : [`careful: ${left} paths are not in the checkpoint; do not change them`]),
      `verify: when the work is done, then keep it or restore ${id}`,
    ],
    confidence: manifest.confidence,
    confidence_basis: basisOf(manifest),
    evidence_anchors: [
      `tool:bash:${verify} # ${tree}, recomputed and equal; ${drilled}`,
      `file:.checkpoints/${id}/manifest.json`,
      `tool:bash:git --git-dir=${shellQuote(layout.repository)} show --stat ${refOf(id)} # checkpoint:${id}`,
    ],
    assumptions: manifest.assumptions,
    excluded: manifest.excluded,
    skipped: manifest.skipped,
  };
}

/** Databases stand among the files, by the words that name them; a key that was absent is a key. */
function scopeOf(
  type: CheckpointType,
  paths: readonly BytePath[],
): NonNullable<CheckpointReport["checkpoint"]>["scope"] {
  if (type !== "state_snapshot") {
    const isOfFiles = type !== "database_savepoint";
    return { files: paths.map((path) => describePath(path, { isOfFiles })), state_keys: [] };
  }
  const items = paths.map((path) => itemOfPath(path));
  return { files: [], state_keys: items.flatMap((item) => (item?.kind === "state" ? [item.key] : [])) };
}

/** The report of a checkpoint that was not made. */
export function reportNothing(summary: string, { excluded, skipped }: LeftOut): CheckpointReport {
  return {
    checkpoint_created: false,
    checkpoint: null,
    pre_mutation_state: { hash: null, summary },
    next_safe_actions: [],
    confidence: 0,
    confidence_basis: "nothing was captured",
    evidence_anchors: [],
    assumptions: [],
    excluded,
    skipped,
  };
}

/** The reasons behind a confidence: 1 is everything in scope, captured before anything changed and restored in a drill. */
function basisOf({ excluded, skipped, confidence }: Manifest): string {
  const reasons = [
    ...(excluded.length === 0 ? [] : [`${excluded.length} left out as sensitive`]),
    ...(skipped.length === 0 ? [] : [`${skipped.length} could not be captured`]),
    ...(confidence < 1 && excluded.length + skipped.length === 0 ? ["this session had already changed a file"] : []),
  ];
  return reasons.length === 0 ? "everything in scope was captured and can be restored" : reasons.join(", ");
}

/** The confidence that a restore brings back the intended state; a checkpoint that failed its drill does not exist. */
export function confidenceOf({ excluded, skipped }: LeftOut, changedBefore: number): number {
  const lost = (skipped.length > 0 ? 20 : 0) + (excluded.length > 0 ? 5 : 0) + (changedBefore > 0 ? 20 : 0);
  return (100 - lost) / 100;
}

/** A word for `sh`, between single quotes unless it needs none. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** One line on what a checkpoint holds. */
export function summarise({ files, bytes, uncommitted }: Counts): string {
  const parts = [count(files, "file"), `${bytes} bytes`];
  return [...parts, ...(uncommitted === null ? [] : [count(uncommitted, "uncommitted change")])].join(", ");
}
