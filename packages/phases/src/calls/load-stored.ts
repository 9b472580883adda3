import { basename, join } from "node:path";
import { CheckpointError } from "@agent-checkpoint/handoff";
import type { UnifiedCheckpoint } from "../document/types.ts";
import { readOwnDocument } from "../files/read-own-document.ts";
import { findStateFolder } from "../files/state-folder.ts";
import { keepAside, withDocumentLock } from "../files/with-document-lock.ts";
import { type CheckpointKey, fileName } from "../names/file-name.ts";
import type { Project } from "../project.ts";

/** The checkpoint as it is stored; null where there is none, and a file that holds none is kept aside. */
export function loadStored(project: Project, key: CheckpointKey): UnifiedCheckpoint | null {
  const folder = findStateFolder(project.root);
  if (folder === null) return null;
  const path = join(folder, fileName(key));
  const read = readOwnDocument(path, key);
  if (read.status === "corrupt") return withoutCorrupt(project, { path, key, why: read.why });
  return read.status === "ok" ? read.checkpoint : null;
}

/** A file that was found to hold no checkpoint. */
interface CorruptFile {
  readonly path: string;
  readonly key: CheckpointKey;
  readonly why: string;
}

/** Looks again with the lock, since another process may have replaced the file; what is still corrupt is kept aside. */
function withoutCorrupt(project: Project, { path, key, why }: CorruptFile): UnifiedCheckpoint | null {
  const found = `${basename(path)} holds no checkpoint (${why})`;
  try {
    return withDocumentLock(path, project.lockTimeoutMs, () => {
      const read = readOwnDocument(path, key);
      if (read.status !== "corrupt") return read.status === "ok" ? read.checkpoint : null;
      throw new CheckpointError("corrupt", `${found}; it is kept as ${keepAside(path, project.now)}`);
    });
  } catch (error) {
    if (error instanceof CheckpointError && error.code !== "locked") throw error;
    const obstacle = error instanceof Error ? error.message : "something failed";
    throw new CheckpointError("corrupt", `${found}, and cannot be kept aside: ${obstacle}`);
  }
}
