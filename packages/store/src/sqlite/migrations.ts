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
  "ALTER TABLE stops ADD COLUMN trail TEXT;",
  `
  CREATE TABLE snoozes (
    id INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    project_path TEXT,
    agent TEXT,
    session_id TEXT,
    from_at INTEGER NOT NULL,
    until_at INTEGER NOT NULL,
    reason TEXT,
    made_by TEXT NOT NULL,
    made_in TEXT NOT NULL
  ) STRICT;
  CREATE INDEX snoozes_by_end ON snoozes (until_at);
  `,
  `
  CREATE TABLE phase_events (
    id INTEGER PRIMARY KEY,
    project_path TEXT NOT NULL,
    command TEXT NOT NULL,
    feature TEXT NOT NULL,
    phase TEXT NOT NULL,
    status TEXT NOT NULL,
    happened_at INTEGER NOT NULL,
    head_commit TEXT
  ) STRICT;
  CREATE UNIQUE INDEX phase_events_once ON phase_events (project_path, command, feature, happened_at, phase, status);
  CREATE INDEX phase_events_by_time ON phase_events (happened_at);
  `,
  `
  ALTER TABLE sessions ADD COLUMN context_mark TEXT;
  ALTER TABLE stops ADD COLUMN save TEXT;
  CREATE TABLE saves (
    id INTEGER PRIMARY KEY,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    project_path TEXT,
    saved_at INTEGER NOT NULL,
    trigger TEXT NOT NULL,
    outcome TEXT NOT NULL,
    percent REAL,
    commit_id TEXT,
    checkpoint_id TEXT,
    files TEXT NOT NULL,
    left_out TEXT NOT NULL,
    section TEXT,
    detail TEXT,
    duration_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX saves_by_time ON saves (saved_at);
  CREATE INDEX saves_by_session ON saves (agent, session_id);
  `,
  "ALTER TABLE stops ADD COLUMN message_length INTEGER;",
];
