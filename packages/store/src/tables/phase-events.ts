import type { Generated } from "kysely";
import { columnNames, columnsOf, type Connection } from "./connection.ts";
import type { Change, Db, Rows } from "./schema.ts";

export const CREATE_PHASE_EVENTS = `
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
`;

/** One row per step of a phase; no feature and no phase are empty texts, because nulls are never equal. */
export interface PhaseEventTable {
  readonly id: Generated<number>;
  readonly project_path: string;
  readonly command: string;
  readonly feature: string;
  readonly phase: string;
  readonly status: string;
  readonly happened_at: number;
  readonly head_commit: string | null;
}

export const PHASE_EVENT_QUERIES = {
  insertPhaseEvent: (db: Db, row: Omit<PhaseEventTable, "id">): Change =>
    db
      .insertInto("phase_events")
      .values(columnsOf(columnNames(CREATE_PHASE_EVENTS), row))
      .onConflict((conflict) => conflict.doNothing()),

  listPhaseEvents: (db: Db, { projectPath }: { readonly projectPath: string }): Rows<PhaseEventTable> =>
    db
      .selectFrom("phase_events")
      .selectAll()
      .where("project_path", "=", projectPath)
      .orderBy("happened_at", "desc")
      .orderBy("id", "desc"),

  deletePhaseEvents: (db: Db, { projectPath }: { readonly projectPath: string }): Change =>
    db.deleteFrom("phase_events").where("project_path", "=", projectPath),

  prunePhaseEvents: (db: Db, { before }: { readonly before: number }): Change =>
    db.deleteFrom("phase_events").where("happened_at", "<", before),
};

/** A step of a command's phase. The project's phase files are the authority. */
export interface PhaseEvent {
  readonly command: string;
  readonly feature: string | null;
  /** Null for the run as a whole. */
  readonly phase: string | null;
  readonly status: string;
  readonly at: Date;
  readonly headCommit: string | null;
}

export function mergePhaseEvents(
  connection: Connection,
  projectPath: string,
  events: readonly PhaseEvent[],
  { rebuild = false }: { readonly rebuild?: boolean | undefined } = {},
): PhaseEvent[] {
  return connection.immediately(() => {
    if (rebuild) connection.run("deletePhaseEvents", { projectPath });
    for (const { command, feature, phase, status, at, headCommit } of events)
      connection.run("insertPhaseEvent", {
        project_path: projectPath,
        command,
        feature: feature ?? "",
        phase: phase ?? "",
        status,
        happened_at: at.getTime(),
        head_commit: headCommit,
      });
    return connection.rows("listPhaseEvents", { projectPath }).map((row) => ({
      command: row.command,
      feature: row.feature || null,
      phase: row.phase || null,
      status: row.status,
      at: new Date(row.happened_at),
      headCommit: row.head_commit,
    }));
  });
}
