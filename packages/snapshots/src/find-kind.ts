import type { CheckpointType } from "./manifest.ts";
import { databaseSavepoint } from "./databases/database-savepoint.ts";
import { fileBackup, gitStash } from "./kinds/files.ts";
import type { Kind } from "./kinds/kind.ts";
import { stateSnapshot } from "./state/state-snapshot.ts";

/** The kinds there are; a new one is a row. */
const KINDS: Readonly<Record<CheckpointType, Kind>> = {
  git_stash: gitStash,
  file_backup: fileBackup,
  state_snapshot: stateSnapshot,
  database_savepoint: databaseSavepoint,
};

/** The kind of a type. */
export function findKind(type: CheckpointType): Kind {
  return KINDS[type];
}
