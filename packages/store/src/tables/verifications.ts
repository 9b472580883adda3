import type { AgentName } from "@agent-checkpoint/transcript";
import type { Connection } from "./connection.ts";
import { columnNames, columnsOf, fromRow, type RowOf, toDate, toRow } from "./rows.ts";
import type { Change, Db, Rows } from "./schema.ts";

export const CREATE_VERIFICATIONS = `
  CREATE TABLE verifications (
    root TEXT NOT NULL,
    file TEXT NOT NULL,
    blob TEXT NOT NULL,
    rule TEXT NOT NULL,
    state TEXT NOT NULL,
    at INTEGER NOT NULL,
    agent TEXT,
    stopId INTEGER,
    command TEXT,
    PRIMARY KEY (root, file, blob, rule)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX verifications_by_time ON verifications (at);
`;

/** What is known about one content of a file under one rule: that a green run covered it, or that a turn ended without one. */
export interface Verification {
  readonly file: string;
  /** The content, by the id that git gives it; `absent` for a file that is gone. */
  readonly blob: string;
  readonly rule: string;
  readonly state: "verified" | "open";
  /** When the run ended, or the turn that had none. */
  readonly at: Date;
  /** Whose turn it was; null for a person's own run. */
  readonly agent: AgentName | null;
  /** The stop at the end of that turn, if it is recorded. */
  readonly stopId: number | null;
  /** The shape of the command that counts; null if there was none. */
  readonly command: string | null;
}

/** One row per content and rule of a repository; a content keeps its row when the file changes. */
export type VerificationTable = RowOf<Verification & { readonly root: string }>;

export const VERIFICATION_QUERIES = {
  listVerifications: (db: Db, { root }: { readonly root: string }): Rows<VerificationTable> =>
    db
      .selectFrom("verifications")
      .selectAll()
      .where("root", "=", root)
      .orderBy("file")
      .orderBy("at", "desc")
      .orderBy("rule"),

  /** A verified content stays verified, since a content never changes. */
  putVerification: (db: Db, row: VerificationTable): Change =>
    db
      .insertInto("verifications")
      .values(columnsOf(columnNames(CREATE_VERIFICATIONS), row))
      .onConflict((conflict) =>
        conflict
          .columns(["root", "file", "blob", "rule"])
          .doUpdateSet((column) => ({
            state: column.ref("excluded.state"),
            at: column.ref("excluded.at"),
            agent: column.ref("excluded.agent"),
            stopId: column.ref("excluded.stopId"),
            command: column.ref("excluded.command"),
          }))
          .where("verifications.state", "=", "open"),
      ),
};

export function listVerifications(connection: Connection, root: string): Verification[] {
  return connection
    .rows("listVerifications", { root })
    .map((row) => fromRow<Verification>(row, { at: toDate }, ["root"]));
}

export function recordVerifications(
  connection: Connection,
  root: string,
  verifications: readonly Verification[],
): void {
  if (verifications.length === 0) return;
  connection.immediately(() => {
    for (const one of verifications) connection.run("putVerification", toRow({ ...one, root }));
  });
}
