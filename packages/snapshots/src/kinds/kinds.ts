import type { CheckpointType } from "../checkpoint-type.ts";
import { databaseSavepoint } from "./database-savepoint.ts";
import { fileBackup } from "./file-backup.ts";
import { gitStash } from "./git-stash.ts";
import type { Kind, Sources } from "./kind.ts";
import { stateSnapshot } from "./state-snapshot.ts";

/** The kinds there are; a new one is a row. */
const KINDS: Readonly<Record<CheckpointType, (sources: Sources) => Kind>> = {
  git_stash: () => gitStash,
  file_backup: () => fileBackup,
  state_snapshot: stateSnapshot,
  database_savepoint: databaseSavepoint,
};

/** The kind of a type, with what it reaches its state by. */
export function kindOf(type: CheckpointType, { sources }: { readonly sources: Sources }): Kind {
  return KINDS[type](sources);
}
