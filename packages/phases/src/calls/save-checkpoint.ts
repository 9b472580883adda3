import { CheckpointError, isRecord, plainCopy } from "@agent-checkpoint/handoff";
import type { RawDocument } from "../document/migrations.ts";
import type { UnifiedCheckpoint } from "../document/types.ts";
import { describeKey } from "../names/describe-key.ts";
import type { CheckpointKey } from "../names/file-name.ts";
import type { Project } from "../project.ts";
import { changeStored } from "./change-stored.ts";

/** The revision that a caller's object has come to by being saved; the object itself is not touched. */
const savedAs = new WeakMap<object, { readonly key: string; readonly revision: number }>();

/** Saves a whole checkpoint, unless somebody else has saved since it was loaded. */
export function saveCheckpoint(project: Project, key: CheckpointKey, given: unknown): UnifiedCheckpoint {
  const { revision: loaded, ...document } = documentOf(given, key);
  const revision = revisionOf(given, key, project) ?? loaded;
  const saved = changeStored(project, key, (stored) => {
    if (stored !== null && revision === undefined)
      project.reporter.warn(`${describeKey(key)} was saved without its revision: what others have saved is replaced`);
    if (stored !== null && revision !== undefined && revision !== stored.revision)
      throw new CheckpointError(
        "conflict",
        `${describeKey(key)} was saved by somebody else (revision ${stored.revision}, yours is ${JSON.stringify(revision)}): load it again`,
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
