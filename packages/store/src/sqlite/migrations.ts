/**
 * The steps from an empty file to today's tables, in order: `user_version` counts the steps taken.
 * A step that has been released is never changed; a new one is added below.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE sessions (
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    project_path TEXT,
    transcript_path TEXT,
    working_slug TEXT,
    first_seen_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    last_message_sent_at INTEGER,
    last_checkpoint_at INTEGER,
    current_turn TEXT,
    last_blocked_turn TEXT,
    last_stop_at INTEGER,
    touched_files TEXT NOT NULL DEFAULT '[]',
    read_up_to INTEGER,
    baseline TEXT,
    route TEXT,
    PRIMARY KEY (agent, session_id)
  ) STRICT;

  CREATE TABLE blocks (
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    turn TEXT NOT NULL,
    blocked_at INTEGER NOT NULL,
    PRIMARY KEY (agent, session_id, turn)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE stops (
    id INTEGER PRIMARY KEY,
    journal_id TEXT,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    project_path TEXT,
    turn TEXT,
    stopped_at INTEGER NOT NULL,
    decision TEXT NOT NULL,
    reason TEXT NOT NULL,
    actions TEXT NOT NULL,
    observations TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    route TEXT NOT NULL,
    is_canary INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX stops_by_time ON stops (stopped_at);
  CREATE INDEX stops_by_session ON stops (agent, session_id);
  CREATE UNIQUE INDEX stops_by_journal_id ON stops (journal_id) WHERE journal_id IS NOT NULL;

  CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];
