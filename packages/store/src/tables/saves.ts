import type { AgentName } from "@agent-checkpoint/transcript";
import type { Generated, Selectable } from "kysely";
import { columnNames, columnsOf, type Connection, parseRecord, parseStrings } from "./connection.ts";
import type { Change, Db, Rows } from "./schema.ts";

export const CREATE_SAVES = `
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
`;

/** One row per save of a session's work, successful or not. */
export interface SaveTable {
  readonly id: Generated<number>;
  readonly agent: AgentName;
  readonly session_id: string;
  readonly project_path: string | null;
  readonly saved_at: number;
  readonly trigger: string;
  readonly outcome: string;
  readonly percent: number | null;
  readonly commit_id: string | null;
  readonly checkpoint_id: string | null;
  readonly files: string;
  readonly left_out: string;
  readonly section: string | null;
  readonly detail: string | null;
  readonly duration_ms: number;
}

export const SAVE_QUERIES = {
  insertSave: (db: Db, row: Omit<SaveTable, "id">): Rows<Pick<SaveTable, "id">> =>
    db
      .insertInto("saves")
      .values(columnsOf(columnNames(CREATE_SAVES), row))
      .returning("id"),

  updateSave: (db: Db, { id, outcome, detail }: SaveUpdate): Change =>
    db.updateTable("saves").set({ outcome, detail }).where("id", "=", id),

  listSaves: (
    db: Db,
    { agent, since }: { readonly agent: AgentName | null; readonly since: number },
  ): Rows<SaveTable> =>
    db
      .selectFrom("saves")
      .selectAll()
      .where("agent", "=", (column) => column.fn.coalesce(column.val(agent), "agent"))
      .where("saved_at", ">=", since)
      .orderBy("saved_at", "desc")
      .orderBy("id", "desc"),

  pruneSaves: (db: Db, { before }: { readonly before: number }): Change =>
    db.deleteFrom("saves").where("saved_at", "<", before),
};

/** A save of a session's work, successful or not. */
export interface Save {
  readonly agent: AgentName;
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly at: Date;
  readonly trigger: string;
  /** The outcome: `committed`, `refused:protected-branch`, `failed:commit` and so on. */
  readonly outcome: string;
  /** How full the context was; null if that is not known. */
  readonly percent: number | null;
  readonly commit: string | null;
  /** The snapshot that was taken first. */
  readonly checkpoint: string | null;
  /** The files in the commit. */
  readonly files: readonly string[];
  /** The files that are not in it, each with the reason. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** The text of the status document's section. */
  readonly section: string | null;
  readonly detail: string | null;
  readonly durationMs: number;
}

/** A save as it is in the store. */
export interface StoredSave extends Save {
  readonly id: number;
}

/** A later outcome of a recorded save, such as a deferred push. */
export type SaveUpdate = Pick<StoredSave, "id" | "outcome" | "detail">;

export function recordSave(connection: Connection, save: Save | SaveUpdate): number {
  if ("id" in save) {
    connection.run("updateSave", save);
    return save.id;
  }
  const [row] = connection.rows("insertSave", {
    agent: save.agent,
    session_id: save.sessionId,
    project_path: save.projectPath,
    saved_at: save.at.getTime(),
    trigger: save.trigger,
    outcome: save.outcome,
    percent: save.percent,
    commit_id: save.commit,
    checkpoint_id: save.checkpoint,
    files: JSON.stringify(save.files),
    left_out: JSON.stringify(save.leftOut),
    section: save.section,
    detail: save.detail,
    duration_ms: Math.round(save.durationMs),
  });
  return row?.id ?? 0;
}

/** Which saves are wanted; all of them by default. */
export interface SaveFilter {
  readonly agent?: AgentName | undefined;
  /** The earliest time, itself included. */
  readonly since?: Date | undefined;
}

export function listSaves(connection: Connection, { agent, since }: SaveFilter = {}): StoredSave[] {
  const match = { agent: agent ?? null, since: since?.getTime() ?? Number.MIN_SAFE_INTEGER };
  return connection.rows("listSaves", match).map(toSave);
}

function toSave(row: Selectable<SaveTable>): StoredSave {
  return {
    id: row.id,
    agent: row.agent,
    sessionId: row.session_id,
    projectPath: row.project_path,
    at: new Date(row.saved_at),
    trigger: row.trigger,
    outcome: row.outcome,
    percent: row.percent,
    commit: row.commit_id,
    checkpoint: row.checkpoint_id,
    files: parseStrings(row.files),
    leftOut: parseRecord(row.left_out) ?? {},
    section: row.section,
    detail: row.detail,
    durationMs: row.duration_ms,
  };
}
