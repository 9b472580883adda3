import type { Connection } from "./connection.ts";
import type { Change, Db, Rows } from "./schema.ts";

export const CREATE_META = `
  CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** What the store remembers of itself. */
export interface MetaTable {
  readonly key:
    | "pruned_at"
    | "settled_at"
    | "verified_at"
    | "synced_at"
    | "sync_done_at"
    | "sync_failures"
    | `sync:${string}`;
  readonly value: number;
}

export const META_QUERIES = {
  readMeta: (db: Db, { key }: Pick<MetaTable, "key">): Rows<Pick<MetaTable, "value">> =>
    db.selectFrom("meta").select("value").where("key", "=", key),

  putMeta: (db: Db, { key, value }: MetaTable): Change =>
    db
      .insertInto("meta")
      .values({ key, value })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value })),
};

/** The query that deletes the old rows of each table. */
const PRUNED = {
  stops: "pruneStops",
  blocks: "pruneBlocks",
  sessions: "pruneSessions",
  snoozes: "pruneSnoozes",
  phaseEvents: "prunePhaseEvents",
  proofs: "pruneProofs",
  saves: "pruneSaves",
  outcomes: "pruneOutcomes",
  verifications: "pruneVerifications",
  exported: "pruneExported",
} as const;

/** How many rows of each table were deleted. */
export type Pruned = Readonly<Record<keyof typeof PRUNED, number>>;

type PruneName = (typeof PRUNED)[keyof typeof PRUNED];
type PruneQuery = (db: Db, limit: { readonly before: number }) => Change;

export const PRUNE_QUERIES: Readonly<Record<PruneName, PruneQuery>> = {
  pruneStops: (db, { before }) => db.deleteFrom("stops").where("at", "<", before),
  pruneBlocks: (db, { before }) => db.deleteFrom("blocks").where("at", "<", before),
  pruneSessions: (db, { before }) => db.deleteFrom("sessions").where("lastSeenAt", "<", before),
  pruneSnoozes: (db, { before }) => db.deleteFrom("snoozes").where("until", "<", before),
  prunePhaseEvents: (db, { before }) => db.deleteFrom("phase_events").where("at", "<", before),
  pruneProofs: (db, { before }) => db.deleteFrom("proofs").where("at", "<", before),
  pruneSaves: (db, { before }) => db.deleteFrom("saves").where("at", "<", before),
  pruneOutcomes: (db, { before }) => db.deleteFrom("outcomes").where("at", "<", before),
  pruneVerifications: (db, { before }) => db.deleteFrom("verifications").where("at", "<", before),
  pruneExported: (db, { before }) => db.deleteFrom("exported").where("at", "<", before),
};

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
  if (!isPruningDue(connection, now)) return null;
  return connection.immediately(() => {
    const last = readMeta(connection, "pruned_at");
    // Another process may have pruned while this one waited for the lock.
    if (!isPruningDue(connection, now)) return null;
    connection.run("putMeta", { key: "pruned_at", value: now });
    const before = last === null ? Number.MIN_SAFE_INTEGER : Math.min(now, last + 2 * DAY_MS) - days * DAY_MS;
    const deleted = Object.entries(PRUNED).map(([name, query]) => [name, connection.run(query, { before })]);
    connection.shrink(MAX_FREED_PAGES);
    return Object.fromEntries(deleted) as Pruned;
  });
}

/** How long the last settling stays fresh: a worker is started no more often than this. */
const SETTLE_MS = 10 * 60 * 1000;

/** Whether it is time to settle outcomes; if so, it counts as begun. */
export function claimSettling(connection: Connection): boolean {
  const now = connection.now().getTime();
  const last = readPast(connection, "settled_at", now);
  if (last !== null && now - last < SETTLE_MS) return false;
  if (connection.rows("findStopSince", { since: last ?? Number.MIN_SAFE_INTEGER }).length === 0) return false;
  connection.run("putMeta", { key: "settled_at", value: now });
  return true;
}

/** Replaces the time up to which turns were searched for verified contents, and returns the old one; null if there was none. */
export function advanceVerifying(connection: Connection, to: Date): Date | null {
  const last = readMeta(connection, "verified_at");
  connection.run("putMeta", { key: "verified_at", value: to.getTime() });
  return last === null ? null : new Date(last);
}

export function readMeta(connection: Connection, key: MetaTable["key"]): number | null {
  return connection.rows("readMeta", { key })[0]?.value ?? null;
}

/** The time of a last run; null if there is none. One in the future comes from a wrong clock, and would postpone the next run until then. */
export function readPast(connection: Connection, key: MetaTable["key"], now: number): number | null {
  const at = readMeta(connection, key);
  return at !== null && at <= now ? at : null;
}

function isPruningDue(connection: Connection, now: number): boolean {
  const last = readPast(connection, "pruned_at", now);
  return last === null || last <= now - DAY_MS;
}
