import type { Connection } from "./connection.ts";
import { columnNames, columnsOf, fromRow, type RowOf, toDate, toRow } from "./rows.ts";
import type { Change, Db, Rows } from "./schema.ts";

export const CREATE_PROOFS = `
  CREATE TABLE proofs (
    root TEXT NOT NULL,
    file TEXT NOT NULL,
    mark TEXT NOT NULL,
    settled TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (root, file)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX proofs_by_time ON proofs (at);
`;

/**
 * A content of a file that needs no further question: a green run covered it, or it was asked about. What was asked about
 * and then `left` undone is `mentioned` once more if something else blocks.
 */
export interface Proof {
  readonly file: string;
  /** Identifies the content. */
  readonly mark: string;
  readonly settled: "proven" | "asked" | "left" | "mentioned";
  readonly at: Date;
}

/** One row per file of a repository: the content that was last settled. */
export type ProofTable = RowOf<Proof & { readonly root: string }>;

/** More than a single stop asks about. */
const MAX_PROOFS = 1000;

export const PROOF_QUERIES = {
  listProofs: (db: Db, { root }: { readonly root: string }): Rows<ProofTable> =>
    db.selectFrom("proofs").selectAll().where("root", "=", root).orderBy("at", "desc").limit(MAX_PROOFS),

  putProof: (db: Db, row: ProofTable): Change =>
    db
      .insertInto("proofs")
      .values(columnsOf(columnNames(CREATE_PROOFS), row))
      .onConflict((conflict) =>
        conflict.columns(["root", "file"]).doUpdateSet((column) => ({
          mark: column.ref("excluded.mark"),
          settled: column.ref("excluded.settled"),
          at: column.ref("excluded.at"),
        })),
      ),

  leaveProofs: (db: Db, { root, at }: { readonly root: string; readonly at: number }): Change =>
    db
      .updateTable("proofs")
      .set({ settled: "left" })
      .where("root", "=", root)
      .where("at", "=", at)
      .where("settled", "=", "asked"),
};

export function listProofs(connection: Connection, root: string): Proof[] {
  return connection.rows("listProofs", { root }).map((row) => fromRow<Proof>(row, { at: toDate }, ["root"]));
}

export function recordProofs(connection: Connection, root: string, proofs: readonly Proof[]): void {
  if (proofs.length === 0) return;
  connection.immediately(() => {
    for (const proof of proofs) connection.run("putProof", toRow({ ...proof, root }));
  });
}

export function leaveProofs(connection: Connection, root: string, at: Date): void {
  connection.run("leaveProofs", { root, at: at.getTime() });
}
