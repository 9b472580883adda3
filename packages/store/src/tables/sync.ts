import type { Connection } from "./connection.ts";
import { type MetaTable, readMeta, readPast } from "./meta.ts";
import { fromRow, toDate } from "./rows.ts";
import type { Db, Rows } from "./schema.ts";
import type { Outcome, OutcomeTable } from "./outcomes.ts";
import { type StopTable, type StoredStop, toStop } from "./stops.ts";

/** How far a target is up to date: the last stop that it has confirmed, and when the last outcomes it has were judged. */
export interface SyncCursor {
  readonly stopId: number;
  readonly judgedAt: Date;
}

/** An outcome with the stop that it belongs to. */
export interface OutcomeOfStop {
  readonly outcome: Outcome;
  readonly stop: StoredStop;
}

/** The place of an outcome in the order in which outcomes are sent. */
export type OutcomePlace = Pick<OutcomeTable, "judgedAt" | "stopId" | "rule">;

interface Page {
  readonly limit: number;
}

export const SYNC_QUERIES = {
  listStopsAfter: (db: Db, { id, limit }: { readonly id: number } & Page): Rows<StopTable> =>
    db.selectFrom("stops").selectAll().where("id", ">", id).where("isCanary", "=", 0).orderBy("id").limit(limit),

  listOutcomesAfter: (db: Db, { judgedAt, stopId, rule, limit }: OutcomePlace & Page): Rows<OutcomeTable> =>
    db
      .selectFrom("outcomes")
      .selectAll()
      .where((where) =>
        where(
          where.refTuple("judgedAt", "stopId", "rule"),
          ">",
          where.tuple(where.val(judgedAt), where.val(stopId), where.val(rule)),
        ),
      )
      .orderBy("judgedAt")
      .orderBy("stopId")
      .orderBy("rule")
      .limit(limit),
};

export function listStopsAfter(connection: Connection, id: number, limit: number): StoredStop[] {
  return connection.rows("listStopsAfter", { id, limit }).map(toStop);
}

/** Outcomes whose stops are still there, and the place of the last row that was read; null at the end. */
export interface OutcomePage {
  readonly outcomes: readonly OutcomeOfStop[];
  readonly next: OutcomePlace | null;
}

export function listOutcomesAfter(connection: Connection, place: OutcomePlace, limit: number): OutcomePage {
  const rows = connection.rows("listOutcomesAfter", { ...place, limit });
  const outcomes = rows.flatMap((row) => {
    const [stop] = connection.rows("findStop", { id: row.stopId });
    const outcome = fromRow<Outcome>(row, { at: toDate, judgedAt: toDate });
    return stop === undefined ? [] : [{ outcome, stop: toStop(stop) }];
  });
  return { outcomes, next: rows.at(-1) ?? null };
}

/**
 * The cursor of a target. SQLite counts from 1 again once all stops have been pruned, so the stop that the cursor names must
 * be the very one that was sent; else everything is sent again, and the target knows what it has.
 */
export function readCursor(connection: Connection, target: string): SyncCursor {
  const [stopId, stopAt, judgedAt] = CURSOR.map((part) => readMeta(connection, keyOf(target, part)));
  const [stop] = stopId == null ? [] : connection.rows("findStop", { id: stopId });
  return { stopId: stop?.at === stopAt && stopId != null ? stopId : 0, judgedAt: new Date(judgedAt ?? 0) };
}

/** Moves the cursor of a target to the last stop, or to the time of the last outcomes, that it has confirmed. */
export function moveCursor(connection: Connection, target: string, to: StoredStop | Date): void {
  connection.immediately(() => {
    if (to instanceof Date) return put(connection, keyOf(target, "judged"), to.getTime());
    put(connection, keyOf(target, "stop"), to.id);
    put(connection, keyOf(target, "at"), to.at.getTime());
  });
}

const CURSOR = ["stop", "at", "judged"] as const;

function keyOf(target: string, part: (typeof CURSOR)[number]): MetaTable["key"] {
  return `sync:${target}:${part}`;
}

/** A sync starts by itself no more often than this. */
const SYNC_MS = 60 * 1000;
const MAX_WAIT_MS = 6 * 60 * 60 * 1000;

/** Whether a sync may start by itself; if so, it counts as begun, and only one of several processes gets true. */
export function claimSync(connection: Connection): boolean {
  const now = connection.now().getTime();
  if (!isSyncDue(connection, now)) return false;
  return connection.immediately(() => {
    if (!isSyncDue(connection, now)) return false;
    put(connection, "synced_at", now);
    return true;
  });
}

function isSyncDue(connection: Connection, now: number): boolean {
  const last = readPast(connection, "synced_at", now);
  const wait = Math.min(MAX_WAIT_MS, SYNC_MS * 2 ** (readMeta(connection, "sync_failures") ?? 0));
  return last === null || now - last >= wait;
}

/** Records how a sync ended: after a failure the next one waits twice as long, six hours at most. */
export function noteSync(connection: Connection, isDone: boolean): void {
  connection.immediately(() => {
    const failures = isDone ? 0 : Math.min(20, (readMeta(connection, "sync_failures") ?? 0) + 1);
    put(connection, "sync_failures", failures);
    put(connection, isDone ? "sync_done_at" : "synced_at", connection.now().getTime());
  });
}

/** When everything was last sent, and how often it has failed since. */
export interface SyncState {
  readonly doneAt: Date | null;
  readonly failures: number;
}

export function readSyncState(connection: Connection): SyncState {
  const doneAt = readMeta(connection, "sync_done_at");
  return { doneAt: doneAt === null ? null : new Date(doneAt), failures: readMeta(connection, "sync_failures") ?? 0 };
}

function put(connection: Connection, key: MetaTable["key"], value: number): void {
  connection.run("putMeta", { key, value });
}
