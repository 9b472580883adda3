import type { QueryConnection } from "../sqlite/connection.ts";
import { type StoredPhaseEvent, toPhaseEventRow } from "./phase-event.ts";

/** How many rows go into one statement; a statement has a limit of values. */
const AT_ONCE = 100;

/** Takes the steps of phases in, each once, and gives how many were new. */
export function recordPhaseEvents(connection: QueryConnection, events: readonly StoredPhaseEvent[]): number {
  const inserts = prepareInserts(connection, events);
  return connection.immediately(() => inserts.reduce((sum, insert) => sum + insert(), 0));
}

/** Forgets the steps of a project's phases, and takes these in instead. */
export function rebuildPhaseEvents(
  connection: QueryConnection,
  projectPath: string,
  events: readonly StoredPhaseEvent[],
): void {
  const forget = connection.prepareChange(
    connection.queries.deleteFrom("phase_events").where("project_path", "=", projectPath),
  );
  const inserts = prepareInserts(connection, events);
  connection.immediately(() => {
    forget();
    for (const insert of inserts) insert();
  });
}

function prepareInserts(
  { queries, prepareChange }: QueryConnection,
  events: readonly StoredPhaseEvent[],
): (() => number)[] {
  const rows = events.map(toPhaseEventRow);
  const starts = Array.from({ length: Math.ceil(rows.length / AT_ONCE) }, (_, chunk) => chunk * AT_ONCE);
  return starts.map((start) =>
    prepareChange(
      queries
        .insertInto("phase_events")
        .values(rows.slice(start, start + AT_ONCE))
        .onConflict((conflict) => conflict.doNothing()),
    ),
  );
}
