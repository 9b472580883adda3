import type { QueryConnection } from "../sqlite/connection.ts";
import { type PhaseEvent, toPhaseEvent, toPhaseEventRow } from "./phase-event.ts";

/** How many rows go into one statement; a statement has a limit of values. */
const AT_ONCE = 100;

/**
 * Takes in the steps of a project's phases, each once, and gives all that are known of the project, newest first.
 * A rebuild forgets what is not among them.
 */
export function mergePhaseEvents(
  connection: QueryConnection,
  projectPath: string,
  events: readonly PhaseEvent[],
  { rebuild = false }: { readonly rebuild?: boolean | undefined } = {},
): PhaseEvent[] {
  const { queries, prepareQuery, prepareChange } = connection;
  const forget = prepareChange(queries.deleteFrom("phase_events").where("project_path", "=", projectPath));
  const inserts = prepareInserts(connection, projectPath, events);
  const list = prepareQuery(
    queries
      .selectFrom("phase_events")
      .selectAll()
      .where("project_path", "=", projectPath)
      .orderBy("happened_at", "desc")
      .orderBy("id", "desc"),
  );
  return connection.immediately(() => {
    if (rebuild) forget();
    for (const insert of inserts) insert();
    return list().map(toPhaseEvent);
  });
}

function prepareInserts(
  { queries, prepareChange }: QueryConnection,
  projectPath: string,
  events: readonly PhaseEvent[],
): (() => number)[] {
  const rows = events.map((event) => toPhaseEventRow(projectPath, event));
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
