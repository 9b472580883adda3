import type { Generated } from "kysely";
import type { Connection } from "./connection.ts";
import { columnNames, columnsOf, fromRow, type RowOf, toDate, toRow } from "./rows.ts";
import type { Change, Db, Rows } from "./schema.ts";

export const CREATE_PHASE_EVENTS = `
  CREATE TABLE phase_events (
    id INTEGER PRIMARY KEY,
    projectPath TEXT NOT NULL,
    command TEXT NOT NULL,
    feature TEXT,
    phase TEXT,
    status TEXT NOT NULL,
    at INTEGER NOT NULL,
    headCommit TEXT
  ) STRICT;
  -- Two nulls are never equal, so a step without a feature would be added again and again.
  CREATE UNIQUE INDEX phase_events_once ON phase_events
    (projectPath, command, at, status, coalesce(feature, ''), coalesce(phase, ''));
  CREATE INDEX phase_events_by_time ON phase_events (at);
`;

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

/** One row per step. */
export type PhaseEventTable = RowOf<PhaseEvent & ProjectKey> & { readonly id: Generated<number> };

interface ProjectKey {
  readonly projectPath: string;
}

export const PHASE_EVENT_QUERIES = {
  insertPhaseEvent: (db: Db, row: Omit<PhaseEventTable, "id">): Change =>
    db
      .insertInto("phase_events")
      .values(columnsOf(columnNames(CREATE_PHASE_EVENTS), row))
      .onConflict((conflict) => conflict.doNothing()),

  listPhaseEvents: (db: Db, { projectPath }: ProjectKey): Rows<PhaseEventTable> =>
    db
      .selectFrom("phase_events")
      .selectAll()
      .where("projectPath", "=", projectPath)
      .orderBy("at", "desc")
      .orderBy("id", "desc"),

  deletePhaseEvents: (db: Db, { projectPath }: ProjectKey): Change =>
    db.deleteFrom("phase_events").where("projectPath", "=", projectPath),
};

export function mergePhaseEvents(
  connection: Connection,
  projectPath: string,
  events: readonly PhaseEvent[],
  { rebuild = false }: { readonly rebuild?: boolean | undefined } = {},
): PhaseEvent[] {
  return connection.immediately(() => {
    if (rebuild) connection.run("deletePhaseEvents", { projectPath });
    for (const event of events) connection.run("insertPhaseEvent", toRow({ ...event, projectPath }));
    return connection
      .rows("listPhaseEvents", { projectPath })
      .map((row) => fromRow<PhaseEvent>(row, { at: toDate }, ["id", "projectPath"]));
  });
}
