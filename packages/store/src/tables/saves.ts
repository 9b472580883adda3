import type { AgentName } from "@agent-checkpoint/transcript";
import type { Generated } from "kysely";
import type { Connection } from "./connection.ts";
import { columnNames, columnsOf, fromRow, parseRecord, parseStrings, type RowOf, toDate, toRow } from "./rows.ts";
import type { Change, Db, Rows } from "./schema.ts";

export const CREATE_SAVES = `
  CREATE TABLE saves (
    id INTEGER PRIMARY KEY,
    agent TEXT NOT NULL,
    sessionId TEXT NOT NULL,
    projectPath TEXT,
    at INTEGER NOT NULL,
    trigger TEXT NOT NULL,
    outcome TEXT NOT NULL,
    percent REAL,
    "commit" TEXT,
    checkpoint TEXT,
    files TEXT NOT NULL,
    leftOut TEXT NOT NULL,
    section TEXT,
    detail TEXT,
    durationMs INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX saves_by_time ON saves (at);
`;

/** A save of a session's work, successful or not. */
export interface Save {
  readonly agent: AgentName;
  readonly sessionId: string;
  /**
   * The repository, by what all of its work trees have in common, since one may be gone by the time it is counted; else the
   * folder.
   */
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

/** One row per save. */
export type SaveTable = RowOf<Save> & { readonly id: Generated<number> };

export const SAVE_QUERIES = {
  insertSave: (db: Db, row: RowOf<Save>): Rows<Pick<SaveTable, "id">> =>
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
      .where("at", ">=", since)
      .orderBy("at", "desc")
      .orderBy("id", "desc"),
};

export function recordSave(connection: Connection, save: Save | SaveUpdate): number {
  if ("id" in save) {
    connection.run("updateSave", save);
    return save.id;
  }
  const [row] = connection.rows("insertSave", toRow({ ...save, durationMs: Math.round(save.durationMs) }));
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
  const leftOut = (text: string) => parseRecord(text) ?? {};
  return connection
    .rows("listSaves", match)
    .map((row) => fromRow<StoredSave>(row, { at: toDate, files: parseStrings, leftOut }));
}
