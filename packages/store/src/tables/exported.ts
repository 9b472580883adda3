import type { Connection } from "./connection.ts";
import { columnNames, columnsOf, fromRow, type RowOf, toDate, toRow } from "./rows.ts";
import type { Outcome, OutcomeTable } from "./outcomes.ts";
import type { Change, Db, Rows } from "./schema.ts";
import { type StopTable, type StoredStop, toStop } from "./stops.ts";

export const CREATE_EXPORTED = `
  CREATE TABLE exported (
    target TEXT NOT NULL,
    kind TEXT NOT NULL,
    stopId INTEGER NOT NULL,
    rule TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (target, kind, stopId, rule)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX exported_by_time ON exported (at);
`;

/**
 * A row that a target has taken: a stop, or the outcome of one of its rules. Outcomes are not recorded in order, so
 * no single number shows which were sent.
 */
export interface Exported {
  readonly target: string;
  readonly kind: "stop" | "outcome";
  readonly stopId: number;
  /** Empty for a stop. */
  readonly rule: string;
  /** When the turn stopped, so that it is deleted with the row it is about. */
  readonly at: Date;
}

export type ExportedTable = RowOf<Exported>;

interface Unsent {
  readonly target: string;
  readonly limit: number;
}

export const EXPORTED_QUERIES = {
  listUnsentStops: (db: Db, { target, limit }: Unsent): Rows<StopTable> =>
    db
      .selectFrom("stops")
      .selectAll()
      .where("isCanary", "=", 0)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom("exported")
              .select("stopId")
              .where("target", "=", target)
              .where("kind", "=", "stop")
              .whereRef("exported.stopId", "=", "stops.id"),
          ),
        ),
      )
      .orderBy("id")
      .limit(limit),

  listUnsentOutcomes: (db: Db, { target, limit }: Unsent): Rows<OutcomeTable> =>
    db
      .selectFrom("outcomes")
      .selectAll()
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom("exported")
              .select("stopId")
              .where("target", "=", target)
              .where("kind", "=", "outcome")
              .whereRef("exported.stopId", "=", "outcomes.stopId")
              .whereRef("exported.rule", "=", "outcomes.rule"),
          ),
        ),
      )
      .orderBy("stopId")
      .orderBy("rule")
      .limit(limit),

  putExported: (db: Db, row: ExportedTable): Change =>
    db
      .insertInto("exported")
      .values(columnsOf(columnNames(CREATE_EXPORTED), row))
      .onConflict((conflict) => conflict.doNothing()),
};

/** What a target has not taken yet, the first stops first. */
export interface UnsentRows {
  readonly stops: readonly StoredStop[];
  readonly outcomes: readonly Outcome[];
}

export function listUnsent(connection: Connection, target: string, limit: number): UnsentRows {
  const outcomes = connection.rows("listUnsentOutcomes", { target, limit });
  return {
    stops: connection.rows("listUnsentStops", { target, limit }).map(toStop),
    outcomes: outcomes.map((row) => fromRow<Outcome>(row, { at: toDate, judgedAt: toDate })),
  };
}

export function markSent(connection: Connection, target: string, { stops, outcomes }: UnsentRows): void {
  connection.immediately(() => {
    for (const { id: stopId, at } of stops)
      connection.run("putExported", toRow({ target, kind: "stop", stopId, rule: "", at } satisfies Exported));
    for (const { stopId, rule, at } of outcomes)
      connection.run("putExported", toRow({ target, kind: "outcome", stopId, rule, at } satisfies Exported));
  });
}
