import type { Compilable, Kysely, Selectable } from "kysely";
import { META_QUERIES, type MetaTable } from "./meta.ts";
import { PHASE_EVENT_QUERIES, type PhaseEventTable } from "./phase-events.ts";
import { PROOF_QUERIES, type ProofTable } from "./proofs.ts";
import { SAVE_QUERIES, type SaveTable } from "./saves.ts";
import { SESSION_QUERIES, type SessionTable } from "./sessions.ts";
import { SNOOZE_QUERIES, type SnoozeTable } from "./snoozes.ts";
import { type BlockTable, STOP_QUERIES, type StopTable } from "./stops.ts";

/** The tables, by name; times are milliseconds, lists and records are JSON. */
export interface Database {
  readonly sessions: SessionTable;
  readonly blocks: BlockTable;
  readonly stops: StopTable;
  readonly snoozes: SnoozeTable;
  readonly phase_events: PhaseEventTable;
  readonly proofs: ProofTable;
  readonly saves: SaveTable;
  readonly meta: MetaTable;
}

/** The query builder that queries are written with; it compiles them to `statements.generated.ts` and runs none. */
export type Db = Kysely<Database>;

/** A query that gives rows of a table. */
export type Rows<Table> = Compilable<Selectable<Table>>;

/** A query that changes rows and gives none. */
export type Change = Compilable;

export type Queries = typeof SESSION_QUERIES &
  typeof STOP_QUERIES &
  typeof SNOOZE_QUERIES &
  typeof PHASE_EVENT_QUERIES &
  typeof PROOF_QUERIES &
  typeof SAVE_QUERIES &
  typeof META_QUERIES;

/** Every query, by name; only the generator of the statements loads this. */
export const QUERIES: Queries = {
  ...SESSION_QUERIES,
  ...STOP_QUERIES,
  ...SNOOZE_QUERIES,
  ...PHASE_EVENT_QUERIES,
  ...PROOF_QUERIES,
  ...SAVE_QUERIES,
  ...META_QUERIES,
};
