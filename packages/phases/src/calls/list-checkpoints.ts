import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { UnifiedCheckpoint } from "../document/types.ts";
import { readDocument } from "../files/read-document.ts";
import { findStateFolder } from "../files/state-folder.ts";
import { type CheckpointKey, parseFileName } from "../names/file-name.ts";
import type { Project } from "../project.ts";

/** A file of the state folder that is a checkpoint's by its name. */
export interface ListedCheckpoint extends CheckpointKey {
  /** Null where the file holds no checkpoint that can be read. */
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
