import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@agent-checkpoint/files";
import { type HeadRelation, isTrackedSync, readHeadSync, relateHead } from "@agent-checkpoint/git";
import type { RawDocument } from "./document/complete-document.ts";
import type { UnifiedCheckpoint } from "./document/schema.ts";
import { beginRun, completeRun, holdGate, isNewRun, patchPhase } from "./document/steps.ts";
import { plainCopy } from "./given-values.ts";
import { checkPhaseName, type CheckpointKey, describeKey, fileName, parseFileName } from "./names.ts";
import { CheckpointError } from "./report.ts";
import { findStateFolder, STATE_FOLDER } from "./storage/state-folder.ts";
import { changeStored, loadStored, type Project, readDocument } from "./storage/stored-document.ts";
import { validateContextSummary } from "./tokens/context-summary.ts";

/** Loads a phase file, warns if HEAD has moved or git tracks the file, and checks its gate against HEAD. */
export function loadCheckpoint(project: Project, key: CheckpointKey): UnifiedCheckpoint | null {
  const checkpoint = loadStored(project, key);
  if (checkpoint === null) return null;
  const comparison = compareHead(project.root, checkpoint);
  const moved = describeHead(checkpoint, comparison);
  if (moved !== null) project.reporter.warn(`The checkpoint of ${describeKey(key)} may be stale: ${moved}`);
  const file = `${STATE_FOLDER}/${fileName(key)}`;
  if (comparison.head !== null && isTrackedSync(project.root, file))
    project.reporter.warn(`${file} is tracked by git: git rm --cached ${file}`);
  return holdGate(checkpoint, comparison.head);
}

/** The revision that a caller's object was last saved as; the object itself is not changed. */
const savedAs = new WeakMap<object, { readonly key: string; readonly revision: number }>();

/** Saves a whole phase file, unless another process has saved since it was loaded. */
export function saveCheckpoint(project: Project, key: CheckpointKey, given: unknown): UnifiedCheckpoint {
  const { revision: loaded, ...document } = documentOf(given, key);
  const revision = revisionOf(given, key, project) ?? loaded;
  const saved = changeStored(project, key, (stored) => {
    if (stored !== null && revision === undefined)
      project.reporter.warn(`${describeKey(key)} was saved without its revision: what others have saved is replaced`);
    if (stored !== null && revision !== undefined && revision !== stored.revision)
      throw new CheckpointError(
        "conflict",
        `${describeKey(key)} was saved by another process (revision ${stored.revision}, yours is ${JSON.stringify(revision)}): load it again`,
      );
    return revision === undefined ? document : { ...document, revision };
  });
  if (isRecord(given)) savedAs.set(given, { key: placeOf(project, key), revision: saved.revision });
  return saved;
}

function documentOf(given: unknown, key: CheckpointKey): RawDocument {
  const document = plainCopy(given, "the checkpoint");
  if (!isRecord(document)) throw new CheckpointError("invalid", "expected a checkpoint, found none");
  const { command = key.command, feature = null, version = 1 } = document;
  if (command !== key.command || (feature !== null && feature !== key.feature))
    throw new CheckpointError("invalid", `the checkpoint is of another command or feature than ${describeKey(key)}`);
  if (version !== 1) throw new CheckpointError("invalid", "`version`: expected 1");
  if (!isRevision(document["revision"])) throw new CheckpointError("invalid", "`revision`: expected a whole number");
  return { ...document, ...key };
}

function isRevision(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && Number.isSafeInteger(value) && value >= 0);
}

function revisionOf(given: unknown, key: CheckpointKey, project: Project): number | undefined {
  const saved = isRecord(given) ? savedAs.get(given) : undefined;
  return saved?.key === placeOf(project, key) ? saved.revision : undefined;
}

function placeOf({ root }: Project, { command, feature }: CheckpointKey): string {
  return JSON.stringify([root, command, feature]);
}

/** A phase and the change to it. */
interface GivenPatch {
  readonly phase: unknown;
  readonly patch: unknown;
}

/** Changes one phase; the first work after a run that is over begins a new one. */
export function updatePhase(
  project: Project,
  key: CheckpointKey,
  { phase, patch: given }: GivenPatch,
): UnifiedCheckpoint {
  checkPhaseName(phase);
  const patch = patchOf(given, phase);
  return changeStored(project, key, (stored) => {
    const target = stored === null || isNewRun(stored, patch) ? beginRun(key, stored) : stored;
    return patchPhase(target, { phase, patch, now: project.now });
  });
}

/** A copy of the patch; a summary that is too long is refused before anything is touched. */
function patchOf(given: unknown, phase: string): RawDocument {
  const patch = plainCopy(given, "the patch");
  if (!isRecord(patch))
    throw new CheckpointError("invalid", `phase \`${phase}\`: expected an object with what is to be changed`);
  const { context_summary: summary } = patch;
  const error = summary === undefined || summary === null ? undefined : validateContextSummary(summary).error;
  if (error !== undefined) throw new CheckpointError("too-long", `phase \`${phase}\`: ${error}`);
  return patch;
}

/** Records that a command is done. */
export function completeCheckpoint(project: Project, key: CheckpointKey): UnifiedCheckpoint {
  return changeExisting(project, key, (stored) => completeRun(stored, project.now));
}

/** Records that the move of HEAD is known, so that loading no longer warns about it; the gate is unchanged. */
export function acceptHead(project: Project, key: CheckpointKey): UnifiedCheckpoint {
  return changeExisting(project, key, (stored) => ({ ...stored, base_commit: readHeadSync(project.root) }));
}

function changeExisting(
  project: Project,
  key: CheckpointKey,
  change: (stored: UnifiedCheckpoint) => RawDocument,
): UnifiedCheckpoint {
  const nothing = new CheckpointError("no-checkpoint", `there is no phase file of ${describeKey(key)}`);
  // Without this check, a command that was never begun would leave a folder behind.
  if (loadStored(project, key) === null) throw nothing;
  return changeStored(project, key, (stored) => {
    if (stored === null) throw nothing;
    return change(stored);
  });
}

/** How HEAD relates to the two commits of a phase file. */
export interface HeadComparison {
  /** The current HEAD commit; null if there is none. */
  readonly head: string | null;
  /** To the commit of the last save. */
  readonly sinceSave: HeadRelation;
  /** To the commit that the run was begun at, which saving does not move. */
  readonly sinceStart: HeadRelation;
}

/** How HEAD relates to the commits of a phase file; one without commits matches every HEAD. */
export function compareHead(
  root: string,
  { head_commit: saved, base_commit: base }: UnifiedCheckpoint,
): HeadComparison {
  const head = readHeadSync(root);
  const relation = (commit: string | null): HeadRelation => (commit === null ? "same" : relateHead(root, commit, head));
  const sinceSave = relation(saved);
  return { head, sinceSave, sinceStart: base === saved ? sinceSave : relation(base) };
}

/** A warning that HEAD has moved; null if it has not. */
export function describeHead(
  { head_commit: saved, base_commit: base }: UnifiedCheckpoint,
  { head, sinceSave, sinceStart }: HeadComparison,
): string | null {
  if (sinceSave !== "same") return `saved at ${short(saved)}, and HEAD (${short(head)}) ${WORDS[sinceSave]}`;
  if (sinceStart !== "same") return `begun at ${short(base)}, and HEAD (${short(head)}) ${WORDS[sinceStart]}`;
  return null;
}

const WORDS: Readonly<Record<Exclude<HeadRelation, "same">, string>> = {
  ahead: "is ahead of it",
  behind: "is behind it",
  diverged: "has diverged from it",
  unknown: "lies in an unknown relation to it",
};

function short(commit: string | null): string {
  return commit?.slice(0, 7) ?? "no commit";
}

/** A file of the state folder that is a checkpoint's by its name. */
export interface ListedCheckpoint extends CheckpointKey {
  /** Null if the file is not a readable phase file. */
  readonly checkpoint: UnifiedCheckpoint | null;
  /** Why it cannot be read. */
  readonly problem: string | null;
}

/** The checkpoints of a project, by command and feature; nothing is moved. */
export function listCheckpoints({ root }: Project): ListedCheckpoint[] {
  const folder = findStateFolder(root);
  const names = folder === null ? [] : readdirSync(folder).toSorted();
  return names.flatMap((name): ListedCheckpoint[] => {
    const key = parseFileName(name);
    if (key === null || folder === null) return [];
    const read = readDocument(join(folder, name), key);
    if (read.status === "missing") return [];
    if (read.status === "ok") return [{ ...key, checkpoint: read.checkpoint, problem: null }];
    return [{ ...key, checkpoint: null, problem: read.why }];
  });
}
