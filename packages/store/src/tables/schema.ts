import type { Compilable, Kysely, Selectable } from "kysely";
import { CREATE_EXPORTED, EXPORTED_QUERIES, type ExportedTable } from "./exported.ts";
import { CREATE_META, META_QUERIES, type MetaTable, PRUNE_QUERIES } from "./meta.ts";
import {
  CREATE_OUTCOMES,
  CREATE_RULE_MODES,
  OUTCOME_QUERIES,
  type OutcomeTable,
  type RuleModeTable,
} from "./outcomes.ts";
import { CREATE_PHASE_EVENTS, PHASE_EVENT_QUERIES, type PhaseEventTable } from "./phase-events.ts";
import { CREATE_PROOFS, PROOF_QUERIES, type ProofTable } from "./proofs.ts";
import { CREATE_SAVES, SAVE_QUERIES, type SaveTable } from "./saves.ts";
import { CREATE_SESSIONS, SESSION_QUERIES, type SessionTable } from "./sessions.ts";
import { CREATE_SNOOZES, SNOOZE_QUERIES, type SnoozeTable } from "./snoozes.ts";
import { type BlockTable, CREATE_STOPS, STOP_QUERIES, type StopTable } from "./stops.ts";
import { CREATE_OUTCOMES_BY_RULE, SUM_QUERIES } from "./sums.ts";
import { SYNC_QUERIES } from "./sync.ts";
import { CREATE_VERIFICATIONS, VERIFICATION_QUERIES, type VerificationTable } from "./verifications.ts";

/**
 * The steps from an empty file to today's tables, in order: `user_version` counts the steps taken.
 * A released step never changes; later steps only add tables and columns, because older programs go on writing.
 */
export const MIGRATIONS: readonly string[] = [
  [
    CREATE_SESSIONS,
    CREATE_STOPS,
    CREATE_SNOOZES,
    CREATE_PHASE_EVENTS,
    CREATE_PROOFS,
    CREATE_SAVES,
    CREATE_META,
    CREATE_OUTCOMES,
    CREATE_RULE_MODES,
  ].join("\n"),
  [CREATE_VERIFICATIONS, CREATE_EXPORTED].join("\n"),
  CREATE_OUTCOMES_BY_RULE,
];

/** The tables, by name. */
export interface Database {
  readonly sessions: SessionTable;
  readonly blocks: BlockTable;
  readonly stops: StopTable;
  readonly snoozes: SnoozeTable;
  readonly phase_events: PhaseEventTable;
  readonly proofs: ProofTable;
  readonly saves: SaveTable;
  readonly meta: MetaTable;
  readonly outcomes: OutcomeTable;
  readonly rule_modes: RuleModeTable;
  readonly verifications: VerificationTable;
  readonly exported: ExportedTable;
}

/** The query builder that queries are written with; it compiles them to `statements.generated.ts` and runs none. */
export type Db = Kysely<Database>;

/** A query that gives rows of a table. */
export type Rows<Table> = Compilable<Selectable<Table>>;

/** A query that changes rows and gives none. */
export type Change = Compilable;

/** The queries of all tables, for the generator of the statements. */
export const QUERIES: readonly Partial<Queries>[] = [
  SESSION_QUERIES,
  STOP_QUERIES,
  SNOOZE_QUERIES,
  PHASE_EVENT_QUERIES,
  PROOF_QUERIES,
  SAVE_QUERIES,
  META_QUERIES,
  PRUNE_QUERIES,
  OUTCOME_QUERIES,
  VERIFICATION_QUERIES,
  EXPORTED_QUERIES,
  SYNC_QUERIES,
  SUM_QUERIES,
];

export type Queries = typeof SESSION_QUERIES &
  typeof STOP_QUERIES &
  typeof SNOOZE_QUERIES &
  typeof PHASE_EVENT_QUERIES &
  typeof PROOF_QUERIES &
  typeof SAVE_QUERIES &
  typeof META_QUERIES &
  typeof PRUNE_QUERIES &
  typeof OUTCOME_QUERIES &
  typeof VERIFICATION_QUERIES &
  typeof EXPORTED_QUERIES &
  typeof SYNC_QUERIES &
  typeof SUM_QUERIES;
