import type { Selectable } from "kysely";
import { columnNames, columnsOf, type Connection } from "./connection.ts";
import type { Change, Db, Rows } from "./schema.ts";

export const CREATE_PROOFS = `
  CREATE TABLE proofs (
    root TEXT NOT NULL,
    file TEXT NOT NULL,
    mark TEXT NOT NULL,
    settled TEXT NOT NULL,
    settled_at INTEGER NOT NULL,
    PRIMARY KEY (root, file)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX proofs_by_time ON proofs (settled_at);
`;

/** One row per file of a repository: the content that was last settled. */
export interface ProofTable {
  readonly root: string;
  readonly file: string;
  /** Identifies the content. */
  readonly mark: string;
  readonly settled: "proven" | "asked";
  readonly settled_at: number;
}

/** More than one stop asks about. */
const MAX_PROOFS = 1000;

export const PROOF_QUERIES = {
  listProofs: (db: Db, { root }: { readonly root: string }): Rows<ProofTable> =>
    db.selectFrom("proofs").selectAll().where("root", "=", root).orderBy("settled_at", "desc").limit(MAX_PROOFS),

  putProof: (db: Db, row: ProofTable): Change =>
    db
      .insertInto("proofs")
      .values(columnsOf(columnNames(CREATE_PROOFS), row))
      .onConflict((conflict) =>
        conflict.columns(["root", "file"]).doUpdateSet((column) => ({
          mark: column.ref("excluded.mark"),
          settled: column.ref("excluded.settled"),
          settled_at: column.ref("excluded.settled_at"),
        })),
      ),

  pruneProofs: (db: Db, { before }: { readonly before: number }): Change =>
    db.deleteFrom("proofs").where("settled_at", "<", before),
};

/** A content of a file that needs no further question: a green run covered it, or it was asked about once. */
export interface Proof {
  readonly file: string;
  readonly mark: string;
  readonly settled: "proven" | "asked";
  readonly at: Date;
}

export function listProofs(connection: Connection, root: string): Proof[] {
  return connection.rows("listProofs", { root }).map(toProof);
}

export function recordProofs(connection: Connection, root: string, proofs: readonly Proof[]): void {
  if (proofs.length === 0) return;
  connection.immediately(() => {
    for (const { file, mark, settled, at } of proofs)
      connection.run("putProof", { root, file, mark, settled, settled_at: at.getTime() });
  });
}

function toProof({ file, mark, settled, settled_at }: Selectable<ProofTable>): Proof {
  return { file, mark, settled, at: new Date(settled_at) };
}
