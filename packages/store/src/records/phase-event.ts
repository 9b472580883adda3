import type { Insertable, Selectable } from "kysely";
import type { PhaseEventTable } from "../sqlite/database.ts";

/** A step of a command's phase, as the project's state files tell it; they are the authority, and this can be told again. */
export interface PhaseEvent {
  readonly command: string;
  readonly feature: string | null;
  /** Null for the run as a whole. */
  readonly phase: string | null;
  readonly status: string;
  readonly at: Date;
  readonly headCommit: string | null;
}

/** A step as the table holds it. */
export function toPhaseEventRow(projectPath: string, event: PhaseEvent): Insertable<PhaseEventTable> {
  return {
    project_path: projectPath,
    command: event.command,
    feature: event.feature ?? "",
    phase: event.phase ?? "",
    status: event.status,
    happened_at: event.at.getTime(),
    head_commit: event.headCommit,
  };
}

/** A row of the table, in the terms of the API. */
export function toPhaseEvent(row: Selectable<PhaseEventTable>): PhaseEvent {
  return {
    command: row.command,
    feature: row.feature || null,
    phase: row.phase || null,
    status: row.status,
    at: new Date(row.happened_at),
    headCommit: row.head_commit,
  };
}
