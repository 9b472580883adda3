import type { ControlledTransaction } from "kysely";
import { redactLine } from "@agent-checkpoint/redaction";
import type { CheckpointReport } from "../report.ts";
import { createId } from "../manifest.ts";

/** What a savepoint is made with. */
export interface SavepointOptions {
  readonly reason?: string;
  readonly now?: () => Date;
}

/** The report of a savepoint: that of a checkpoint, and that it ends with its transaction. */
export interface SavepointReport extends CheckpointReport {
  readonly durable: false;
}

/** The result of going back or letting go: the transaction may have ended before. */
export type SavepointOutcome = "done" | "transaction-ended";

/** A mark in a transaction that is under way. */
export interface Savepoint {
  readonly id: string;
  readonly report: SavepointReport;
  /** Takes back everything since the mark; the mark stays. */
  readonly restore: () => Promise<SavepointOutcome>;
  /** Lets the mark go and keeps everything since. */
  readonly release: () => Promise<SavepointOutcome>;
}

/**
 * Sets a savepoint in a controlled transaction of kysely: a `database_savepoint` that is not durable. It holds what this
 * connection has written, until the transaction ends, in this process; for anything longer capture the database.
 */
export async function savepointIn<DB>(
  transaction: ControlledTransaction<DB>,
  { reason = "", now = () => new Date() }: SavepointOptions = {},
): Promise<Savepoint> {
  const at = now();
  const id = createId(at);
  const marked = await transaction.savepoint(id).execute();
  const whileOpen = async (work: () => Promise<unknown>): Promise<SavepointOutcome> => {
    if (transaction.isCommitted || transaction.isRolledBack) return "transaction-ended";
    await work();
    return "done";
  };
  return {
    id,
    report: reportOf(id, { at, reason: redactLine(reason) }),
    restore: () => whileOpen(() => marked.rollbackToSavepoint(id).execute()),
    release: () => whileOpen(() => marked.releaseSavepoint(id).execute()),
  };
}

function reportOf(id: string, { at, reason }: { readonly at: Date; readonly reason: string }): SavepointReport {
  return {
    durable: false,
    checkpoint_created: true,
    checkpoint: {
      id,
      type: "database_savepoint",
      created_at: at.toISOString(),
      scope: { files: [], state_keys: [] },
      restore_command: `ROLLBACK TO SAVEPOINT "${id}"`,
      expiry: null,
    },
    pre_mutation_state: {
      hash: null,
      summary: reason === "" ? "a savepoint of an open transaction" : `a savepoint of an open transaction: ${reason}`,
    },
    next_safe_actions: ["edit: write to the database through this very transaction"],
    confidence: 0.5,
    confidence_basis: "it lasts as long as the transaction",
    evidence_anchors: [`tool:sql:SAVEPOINT "${id}"`, `tool:sql:ROLLBACK TO SAVEPOINT "${id}"`],
    assumptions: [
      "It is not durable: it ends with the transaction, with the connection and with this process, and no command can bring it back from outside.",
      "It covers what this transaction writes, and nothing that others write.",
    ],
    excluded: [],
    skipped: [],
  };
}
