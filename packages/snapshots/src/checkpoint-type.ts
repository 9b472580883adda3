/** The kinds of checkpoint, as the contract names them. */
export const CHECKPOINT_TYPES = ["git_stash", "file_backup", "state_snapshot", "database_savepoint"] as const;

export type CheckpointType = (typeof CHECKPOINT_TYPES)[number];
