import type { Connection, QueryName } from "./connection.ts";
import type { Change, Db, Rows } from "./schema.ts";

export const CREATE_META = `
  CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** What the store remembers of itself. */
export interface MetaTable {
  readonly key: "pruned_at" | "settled_at";
  readonly value: number;
}

export const META_QUERIES = {
  readSettledAt: (db: Db, _none: object): Rows<Pick<MetaTable, "value">> =>
    db.selectFrom("meta").select("value").where("key", "=", "settled_at"),

  putSettledAt: (db: Db, { at }: { readonly at: number }): Change =>
    db
      .insertInto("meta")
      .values({ key: "settled_at", value: at })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: at })),

  readPrunedAt: (db: Db, _none: object): Rows<Pick<MetaTable, "value">> =>
    db.selectFrom("meta").select("value").where("key", "=", "pruned_at"),

  putPrunedAt: (db: Db, { at }: { readonly at: number }): Change =>
    db
      .insertInto("meta")
      .values({ key: "pruned_at", value: at })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: at })),
};

/** The query that deletes the old rows of each table. */
const PRUNED: Readonly<Record<keyof Pruned, Extract<QueryName, `prune${string}`>>> = {
  stops: "pruneStops",
  blocks: "pruneBlocks",
  sessions: "pruneSessions",
  snoozes: "pruneSnoozes",
  phaseEvents: "prunePhaseEvents",
  proofs: "pruneProofs",
  saves: "pruneSaves",
  outcomes: "pruneOutcomes",
};

/** How many rows were deleted. */
export interface Pruned {
  readonly stops: number;
  readonly blocks: number;
  readonly sessions: number;
  readonly snoozes: number;
  readonly phaseEvents: number;
  readonly proofs: number;
  readonly saves: number;
  readonly outcomes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** At most 20 MB are freed at once, which takes about a tenth of a second: an agent waits. */
const MAX_FREED_PAGES = 5000;

/**
 * Deletes rows older than this many days, at most once a day; null if that was done already.
 *
 * A row counts as old only if two checks a day apart agree: the first check only records its time, and after a long pause,
 * or if the clock jumped ahead, a check deletes only what the last one would have deleted soon.
 */
export function prune(connection: Connection, days: number): Pruned | null {
  const now = connection.now().getTime();
  if (!isDue(prunedAt(connection), now)) return null;
  return connection.immediately(() => {
    const last = prunedAt(connection);
    // Another process may have pruned while this one waited for the lock.
    if (!isDue(last, now)) return null;
    connection.run("putPrunedAt", { at: now });
    const before = last === null ? Number.MIN_SAFE_INTEGER : Math.min(now, last + 2 * DAY_MS) - days * DAY_MS;
    const deleted = Object.entries(PRUNED).map(([name, query]) => [name, connection.run(query, { before })]);
    connection.shrink(MAX_FREED_PAGES);
    return Object.fromEntries(deleted) as Pruned;
  });
}

/** How long what was settled last is fresh enough: a worker is started no more often. */
const SETTLE_MS = 10 * 60 * 1000;

/** Whether it is time to settle outcomes; then it is taken as begun. */
export function claimSettling(connection: Connection): boolean {
  const now = connection.now().getTime();
  const last = connection.rows("readSettledAt", {})[0]?.value ?? null;
  if (last !== null && last <= now && now - last < SETTLE_MS) return false;
  if (connection.rows("findStopSince", { since: last ?? Number.MIN_SAFE_INTEGER }).length === 0) return false;
  connection.run("putSettledAt", { at: now });
  return true;
}

function prunedAt(connection: Connection): number | null {
  return connection.rows("readPrunedAt", {})[0]?.value ?? null;
}

/** A time in the future comes from a wrong clock, and would postpone pruning until then. */
function isDue(last: number | null, now: number): boolean {
  return last === null || last > now || last <= now - DAY_MS;
}
