import { basename, dirname, join } from "node:path";
import { sweepDrafts, writeWhole } from "@agent-checkpoint/files";
import { readHeadSync } from "@agent-checkpoint/git";
import { CheckpointError } from "@agent-checkpoint/handoff";
import type { RawDocument } from "../document/migrations.ts";
import { stampDocument } from "../document/stamp-document.ts";
import type { UnifiedCheckpoint } from "../document/types.ts";
import { MOST_BYTES } from "../files/read-document.ts";
import { readOwnDocument } from "../files/read-own-document.ts";
import { makeStateFolder } from "../files/state-folder.ts";
import { keepAside, withDocumentLock } from "../files/with-document-lock.ts";
import { type CheckpointKey, fileName } from "../names/file-name.ts";
import type { Project } from "../project.ts";

/** What is to be written, made from what is stored. */
export type Change = (stored: UnifiedCheckpoint | null) => RawDocument;

/** Changes a checkpoint while nobody else does; gives it as it is stored now. */
export function changeStored(project: Project, key: CheckpointKey, change: Change): UnifiedCheckpoint {
  const { root, now, lockTimeoutMs } = project;
  const head = readHeadSync(root);
  const path = join(makeStateFolder(root), fileName(key));
  return withDocumentLock(path, lockTimeoutMs, ({ assertHeld }) => {
    const stored = storedOrAside(project, path, key);
    const checkpoint = stampDocument(stored, change(stored), { key, now, head });
    writeWhole(path, toText(checkpoint), { beforeRename: assertHeld });
    sweepDrafts(dirname(path));
    return checkpoint;
  });
}

function storedOrAside({ reporter, now }: Project, path: string, key: CheckpointKey): UnifiedCheckpoint | null {
  const read = readOwnDocument(path, key);
  if (read.status === "ok") return read.checkpoint;
  if (read.status === "missing") return null;
  reporter.warn(`${basename(path)} held no checkpoint (${read.why}); it is kept as ${keepAside(path, now)}`);
  return null;
}

function toText(checkpoint: UnifiedCheckpoint): string {
  const text = `${JSON.stringify(checkpoint, null, 2)}\n`;
  const bytes = Buffer.byteLength(text);
  if (bytes <= MOST_BYTES) return text;
  throw new CheckpointError("too-long", `the checkpoint has ${bytes} bytes, at most ${MOST_BYTES} are kept`);
}
