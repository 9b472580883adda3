export { inspectStore, type StoreInspection } from "./inspect-store.ts";
export { appendLog, type LogEntry } from "./log.ts";
export { openState, openStore, type OpenOptions, type StateResult, type StoreResult } from "./open-store.ts";
export type { OpenFileOptions, OpenSqlite, PreparedStatement, SqliteFile } from "./sqlite/node-sqlite.ts";
export { StoreError, type StoreFault } from "./store-error.ts";
export type { State, Store } from "./store.ts";
export type { UnsentRows } from "./tables/exported.ts";
export type { Pruned } from "./tables/meta.ts";
export { type Answer, type MovedRule, type Outcome, OUTCOME_NAMES, type OutcomeName } from "./tables/outcomes.ts";
export type { PhaseEvent } from "./tables/phase-events.ts";
export type { Proof } from "./tables/proofs.ts";
export type { Save, SaveFilter, SaveUpdate, StoredSave } from "./tables/saves.ts";
export type {
  Baseline,
  ContextMark,
  Prompt,
  Route,
  Session,
  SessionChanges,
  SessionFilter,
  SessionKey,
} from "./tables/sessions.ts";
export { isSnoozed, type Snooze, type SnoozedPlace, type SnoozeScope } from "./tables/snoozes.ts";
export type { StateColumns, StateRow } from "./tables/state.ts";
export type {
  BlockClaim,
  BlockOutcome,
  BlockRelease,
  Stop,
  StopFilter,
  StopObservation,
  StopTrail,
  StoredStop,
} from "./tables/stops.ts";
export { type DaySum, NEWEST_ANSWERS, type Scope, type SumQuestion, type Sums } from "./tables/sums.ts";
export type { OutcomeOfStop, OutcomePlace, SyncCursor, SyncState } from "./tables/sync.ts";
export type { Verification } from "./tables/verifications.ts";
