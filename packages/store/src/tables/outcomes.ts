import type { AgentName } from "@agent-checkpoint/transcript";
import type { Connection } from "./connection.ts";
import { columnNames, columnsOf, fromRow, type RowOf, toDate, toRow } from "./rows.ts";
import type { Change, Db, Rows } from "./schema.ts";

export const CREATE_OUTCOMES = `
  CREATE TABLE outcomes (
    stopId INTEGER NOT NULL,
    rule TEXT NOT NULL,
    kind TEXT NOT NULL,
    mode TEXT NOT NULL,
    agent TEXT NOT NULL,
    repository TEXT,
    at INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    why TEXT,
    note TEXT,
    seconds INTEGER,
    tokens INTEGER,
    judgedAt INTEGER NOT NULL,
    PRIMARY KEY (stopId, rule)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX outcomes_by_time ON outcomes (at, kind, mode, agent, repository, outcome, seconds, tokens);
`;

export const CREATE_RULE_MODES = `
  CREATE TABLE rule_modes (
    root TEXT NOT NULL,
    rule TEXT NOT NULL,
    agent TEXT NOT NULL,
    mode TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (root, rule, agent)
  ) STRICT, WITHOUT ROWID;
`;

/** The final outcome of something that a rule found at a stop. */
export interface Outcome {
  readonly stopId: number;
  /** The id of an action or of a check; empty for a block that asked for nothing. */
  readonly rule: string;
  readonly kind: "action" | "check" | "message";
  /** The mode of the rule at the stop. */
  readonly mode: "require" | "advise" | "shadow";
  readonly agent: AgentName;
  /** Where it happened: what all work trees of a repository have in common, else the folder. */
  readonly repository: string | null;
  /** When the turn stopped. */
  readonly at: Date;
  readonly outcome: OutcomeName;
  /** Why it is not known, in kebab-case; null if it is. */
  readonly why: string | null;
  /** The words with which it was waived. */
  readonly note: string | null;
  /** The cost between a block and the end of its turn; null if unknown, or if no message was sent. */
  readonly seconds: number | null;
  readonly tokens: number | null;
  readonly judgedAt: Date;
}

/** The outcomes in the order of tables. */
export const OUTCOME_NAMES = ["done", "partly", "ignored", "waived", "escaped", "moot", "unknown"] as const;

/**
 * For what was mentioned: `done`, `partly` (tried, but it failed, hid its result, or went stale), `ignored`, `waived`.
 * For what was not: `done` (it came by itself), `escaped` (committed or over without it), `moot` (the files went back).
 */
export type OutcomeName = (typeof OUTCOME_NAMES)[number];

/** A mode that the program has moved a rule to, for one agent or, if that is empty, for all. */
export interface MovedRule {
  readonly rule: string;
  readonly agent: string;
  readonly mode: string;
  readonly since: Date;
}

/** One row per rule of a stop; a block that asked for nothing has one row without a rule. */
export type OutcomeTable = RowOf<Outcome>;

/** One row per rule of a repository that was moved. */
export type RuleModeTable = RowOf<MovedRule & { readonly root: string }>;

/** Of an outcome only what a rule is judged by. */
export type Answer = Pick<OutcomeTable, "rule" | "mode" | "agent" | "repository" | "outcome">;

export const OUTCOME_QUERIES = {
  putOutcome: (db: Db, row: OutcomeTable): Change =>
    db
      .insertInto("outcomes")
      .values(columnsOf(columnNames(CREATE_OUTCOMES), row))
      .onConflict((conflict) => conflict.doNothing()),

  listOutcomes: (db: Db, { since }: { readonly since: number }): Rows<OutcomeTable> =>
    db.selectFrom("outcomes").selectAll().where("at", ">=", since).orderBy("at", "desc").orderBy("stopId", "desc"),

  listOutcomesOfStop: (db: Db, { stopId }: { readonly stopId: number }): Rows<OutcomeTable> =>
    db.selectFrom("outcomes").selectAll().where("stopId", "=", stopId).orderBy("rule"),

  putRuleMode: (db: Db, row: RuleModeTable): Change =>
    db
      .insertInto("rule_modes")
      .values(columnsOf(columnNames(CREATE_RULE_MODES), row))
      .onConflict((conflict) =>
        conflict
          .columns(["root", "rule", "agent"])
          .doUpdateSet((column) => ({ mode: column.ref("excluded.mode"), since: column.ref("excluded.since") })),
      ),

  listRuleModes: (db: Db, { root }: { readonly root: string }): Rows<RuleModeTable> =>
    db.selectFrom("rule_modes").selectAll().where("root", "=", root).orderBy("rule").orderBy("agent"),
};

export function recordOutcomes(connection: Connection, outcomes: readonly Outcome[]): void {
  if (outcomes.length === 0) return;
  connection.immediately(() => {
    for (const outcome of outcomes) connection.run("putOutcome", toRow(outcome));
  });
}

/** Which outcomes are wanted: those of a stop, or all since a time. */
export interface OutcomeFilter {
  readonly stopId?: number | undefined;
  readonly since?: Date | undefined;
}

export function listOutcomes(connection: Connection, { stopId, since }: OutcomeFilter = {}): Outcome[] {
  const rows =
    stopId === undefined
      ? connection.rows("listOutcomes", { since: since?.getTime() ?? Number.MIN_SAFE_INTEGER })
      : connection.rows("listOutcomesOfStop", { stopId });
  return rows.map((row) => fromRow<Outcome>(row, { at: toDate, judgedAt: toDate }));
}

export function moveRule(connection: Connection, root: string, moved: MovedRule): void {
  connection.run("putRuleMode", toRow({ ...moved, root }));
}

export function listMovedRules(connection: Connection, root: string): MovedRule[] {
  return connection.rows("listRuleModes", { root }).map((row) => fromRow<MovedRule>(row, { since: toDate }, ["root"]));
}
