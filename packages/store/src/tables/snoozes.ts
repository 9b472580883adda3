import type { Generated } from "kysely";
import type { Connection } from "./connection.ts";
import { columnNames, columnsOf, fromRow, isRecord, parseJson, type RowOf, toDate, toRow } from "./rows.ts";
import type { Change, Db, Rows } from "./schema.ts";
import type { SessionKey } from "./sessions.ts";

export const CREATE_SNOOZES = `
  CREATE TABLE snoozes (
    id INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    "from" INTEGER NOT NULL,
    until INTEGER NOT NULL,
    reason TEXT,
    madeBy TEXT NOT NULL,
    madeIn TEXT NOT NULL
  ) STRICT;
  CREATE INDEX snoozes_by_end ON snoozes (until);
`;

/** Whose stops pass: those in a repository, by its root, or those of one session. */
export type SnoozeScope =
  | { readonly kind: "project"; readonly projectPath: string }
  | ({ readonly kind: "session" } & SessionKey);

/** A user's request to let stops pass for a while. */
export interface Snooze {
  readonly scope: SnoozeScope;
  readonly from: Date;
  /** From this time on stops are judged again. */
  readonly until: Date;
  readonly reason: string | null;
  /** Who asked, and in which folder. */
  readonly madeBy: string;
  readonly madeIn: string;
}

/** One row per snooze. */
export type SnoozeTable = RowOf<Snooze> & { readonly id: Generated<number> };

export const SNOOZE_QUERIES = {
  /** A snooze that begins in the future comes from a clock that was set back: it would last too long. */
  listSnoozes: (db: Db, { at }: { readonly at: number }): Rows<SnoozeTable> =>
    db.selectFrom("snoozes").selectAll().where("until", ">", at).where("from", "<=", at).orderBy("until").orderBy("id"),

  insertSnooze: (db: Db, row: RowOf<Snooze>): Change =>
    db.insertInto("snoozes").values(columnsOf(columnNames(CREATE_SNOOZES), row)),

  /** A snooze that begins later, by a wrong clock, ends as well. */
  endSnoozes: (db: Db, { scope, at }: { readonly scope: string; readonly at: number }): Change =>
    db.updateTable("snoozes").set({ until: at }).where("until", ">", at).where("scope", "=", scope),
};

export function setSnooze(
  connection: Connection,
  scope: SnoozeScope,
  snooze: Omit<Snooze, "scope"> | null,
  at: Date,
): number {
  const stored = JSON.stringify(scopeOf(scope));
  return connection.immediately(() => {
    const ended = connection.run("endSnoozes", { scope: stored, at: at.getTime() });
    if (snooze !== null) connection.run("insertSnooze", { ...toRow(snooze), scope: stored });
    return ended;
  });
}

export function listSnoozes(connection: Connection, at: Date): Snooze[] {
  return connection.rows("listSnoozes", { at: at.getTime() }).flatMap((row) => {
    const scope = scopeOf(parseJson(row.scope));
    // A malformed row lets no stop pass.
    return scope === null ? [] : [fromRow<Snooze>(row, { scope: () => scope, from: toDate, until: toDate }, ["id"])];
  });
}

/** A scope with its fields in the order in which it is stored, because it is found by its text. */
function scopeOf(value: unknown): SnoozeScope | null {
  if (!isRecord(value)) return null;
  const { kind, projectPath, agent, sessionId } = value;
  if (kind === "project" && typeof projectPath === "string") return { kind, projectPath };
  if (kind !== "session" || typeof agent !== "string" || typeof sessionId !== "string") return null;
  return { kind, agent: agent as SessionKey["agent"], sessionId };
}

/** A stop that may be snoozed: its session, and the spellings of its repository's root. */
export interface SnoozedPlace extends SessionKey {
  readonly projectPaths: readonly string[];
}

/** Whether one of the snoozes is about a stop. */
export function isSnoozed(
  snoozes: readonly Pick<Snooze, "scope">[],
  { agent, sessionId, projectPaths }: SnoozedPlace,
): boolean {
  return snoozes.some(({ scope }) =>
    scope.kind === "project"
      ? projectPaths.includes(scope.projectPath)
      : scope.agent === agent && scope.sessionId === sessionId,
  );
}
