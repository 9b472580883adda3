import type { CheckpointType } from "../checkpoint-type.ts";
import type { Entry } from "../manifest/entry.ts";
import type { Counts, Manifest, Omission } from "../manifest/manifest.ts";
import { describePath, itemOfPath } from "../request/item-path.ts";
import type { Checkpoint } from "../store/load-checkpoint.ts";
import { type StoreLayout, refOf } from "../store/store-layout.ts";

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

/** The report of a checkpoint that exists. */
export function reportOf(checkpoint: Checkpoint, { layout }: { readonly layout: StoreLayout }): CheckpointReport {
  const { manifest } = checkpoint;
  const { id, type, tree } = manifest;
  const verify = manifest.restoreCommand.replace(" snapshot restore ", " snapshot verify ");
  return {
    checkpoint_created: true,
    checkpoint: {
      id,
      type,
      created_at: manifest.createdAt,
      scope: scopeOf(manifest, checkpoint.entries),
      restore_command: manifest.restoreCommand,
      expiry: manifest.expiresAt,
    },
    pre_mutation_state: { hash: tree, summary: manifest.summary },
    next_safe_actions: nextActions(manifest),
    confidence: manifest.confidence,
    confidence_basis: basisOf(manifest),
    evidence_anchors: [
      `tool:bash:${verify} # ${tree}, recomputed and equal; ${manifest.drill.entries + manifest.drill.provenBefore} of ${manifest.counts.entries} entries restored in a drill`,
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
  { type }: Manifest,
  entries: readonly Entry[],
): { readonly files: readonly string[]; readonly state_keys: readonly string[] } {
  const items = entries.map(({ path }) => itemOfPath(path));
  const keys = items.flatMap((item) => (item?.kind === "state" ? [item.key] : []));
  if (type === "state_snapshot") return { files: [], state_keys: keys };
  const isOfFiles = type !== "database_savepoint";
  const files = entries.filter((entry) => entry.type !== "directory");
  return { files: files.map(({ path }) => describePath(path, { isOfFiles })), state_keys: [] };
}

/** The report of a checkpoint that was not made. */
export function reportNothing(
  summary: string,
  { excluded, skipped }: { readonly excluded: readonly Omission[]; readonly skipped: readonly Omission[] },
): CheckpointReport {
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

function nextActions({ excluded, skipped, id }: Manifest): readonly string[] {
  const left = excluded.length + skipped.length;
  return [
    "edit: change what is in scope",
    ...(left === 0 ? [] : [`careful: ${left} paths are not in the checkpoint; do not change them`]),
    `verify: when the work is done, then keep it or restore ${id}`,
  ];
}

/** A word for `sh`, between single quotes unless it needs none. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The one line that brings a checkpoint back, from any folder, by `sh -c`. */
export function restoreCommand(
  program: readonly string[],
  { id, root, store }: { readonly id: string; readonly root: string; readonly store: string | null },
): string {
  const words = [...program, "snapshot", "restore", id, "--root", root, ...(store === null ? [] : ["--store", store])];
  return words.map((word) => shellQuote(word)).join(" ");
}

/** One line on what a checkpoint holds. */
export function summarise({ files, bytes, uncommitted }: Counts): string {
  const parts = [
    count(files, "file"),
    `${bytes} bytes`,
    uncommitted === null ? null : count(uncommitted, "uncommitted change"),
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/** A number of things in words. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** What the confidence in a checkpoint depends on. */
export interface Grounds {
  readonly excluded: readonly Omission[];
  readonly skipped: readonly Omission[];
  readonly changedBefore: number;
}

/** What lowers it, and by how much; a checkpoint that failed its drill does not exist, so everything starts from 1. */
const DEDUCTIONS: readonly { readonly by: number; readonly holds: (grounds: Grounds) => boolean }[] = [
  { by: 0.2, holds: ({ skipped }) => skipped.length > 0 },
  { by: 0.05, holds: ({ excluded }) => excluded.length > 0 },
  { by: 0.2, holds: ({ changedBefore }) => changedBefore > 0 },
];

/** The confidence that a restore brings back the intended state: 1 if everything in scope was captured before anything changed. */
export function confidenceOf(grounds: Grounds): number {
  const lost = DEDUCTIONS.filter(({ holds }) => holds(grounds)).reduce((sum, { by }) => sum + by, 0);
  return Math.round((1 - lost) * 100) / 100;
}
