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

/**
 * Prunes what is older than so many days unless that was done within a day; null if it was.
 *
 * After a long pause, or a clock that jumped ahead, the first look takes only what the last one would have taken soon:
 * nothing is taken for old before two looks a day apart agree on the time.
 */
export function pruneIfDue(connection: Connection, days: number): Pruned | null {
  const { prepareRows, prepareRun, immediately } = connection;
  const now = connection.now().getTime();
  const last = prepareRows<{ readonly value: number }>("SELECT value FROM meta WHERE key = 'pruned_at'", []);
  const lastTime = last()[0]?.value;
  if (!isDue(lastTime, now)) return null;
  const agreed = lastTime === undefined ? now : Math.min(now, lastTime + 2 * DAY_MS);
  const deleteRows = preparePrune(connection, new Date(agreed - days * DAY_MS));
  const remember = prepareRun(
    "INSERT INTO meta (key, value) VALUES ('pruned_at', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    [now],
  );
  return immediately(() => {
    // Another process may have pruned while this one waited for the lock.
    if (!isDue(last()[0]?.value, now)) return null;
    remember();
    return deleteRows();
  });
}

/** Deletes stops, blocks, saves and phase events from before a time, snoozes that ended before it, and sessions not seen since. */
function preparePrune({ prepareRun }: Connection, olderThan: Date): () => Pruned {
  const older = (table: string, column: string) =>
    prepareRun(`DELETE FROM ${table} WHERE ${column} < ?`, [olderThan.getTime()]);
  const stops = older("stops", "stopped_at");
  const blocks = older("blocks", "blocked_at");
  const sessions = older("sessions", "last_seen_at");
  const snoozes = older("snoozes", "until_at");
  const events = older("phase_events", "happened_at");
  const saves = older("saves", "saved_at");
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
