import type { Connection } from "../sqlite/connection.ts";

/** How many rows were deleted. */
export interface Pruned {
  readonly stops: number;
  readonly blocks: number;
  readonly sessions: number;
  readonly snoozes: number;
  readonly phaseEvents: number;
  readonly saves: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes stops, blocks and steps of phases from before a time, snoozes that ended before it, and sessions not heard of since. */
export function prune(connection: Connection, olderThan: Date): Pruned {
  return connection.immediately(preparePrune(connection, olderThan));
}

/** Prunes what is older than so many days unless that was done within a day; null if it was. */
export function pruneIfDue(connection: Connection, days: number): Pruned | null {
  const { queries, prepareQuery, prepareChange, immediately } = connection;
  const now = connection.now().getTime();
  const last = prepareQuery(queries.selectFrom("meta").select("value").where("key", "=", "pruned_at"));
  if (!isDue(last()[0]?.value, now)) return null;
  const deleteRows = preparePrune(connection, new Date(now - days * DAY_MS));
  const remember = prepareChange(
    queries
      .insertInto("meta")
      .values({ key: "pruned_at", value: now })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: now })),
  );
  return immediately(() => {
    // Another process may have pruned while this one waited for the lock.
    if (!isDue(last()[0]?.value, now)) return null;
    remember();
    return deleteRows();
  });
}

function preparePrune({ queries, prepareChange }: Connection, olderThan: Date): () => Pruned {
  const time = olderThan.getTime();
  const stops = prepareChange(queries.deleteFrom("stops").where("stopped_at", "<", time));
  const blocks = prepareChange(queries.deleteFrom("blocks").where("blocked_at", "<", time));
  const sessions = prepareChange(queries.deleteFrom("sessions").where("last_seen_at", "<", time));
  const snoozes = prepareChange(queries.deleteFrom("snoozes").where("until_at", "<", time));
  const events = prepareChange(queries.deleteFrom("phase_events").where("happened_at", "<", time));
  const saves = prepareChange(queries.deleteFrom("saves").where("saved_at", "<", time));
  return () => ({
    stops: stops(),
    blocks: blocks(),
    sessions: sessions(),
    snoozes: snoozes(),
    phaseEvents: events(),
    saves: saves(),
  });
}

/** A time in the future is from a clock that was wrong, and would put pruning off until then. */
function isDue(last: number | undefined, now: number): boolean {
  return last === undefined || last > now || last <= now - DAY_MS;
}
