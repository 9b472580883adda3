import type { AgentName } from "@agent-checkpoint/transcript";
import type { UnsentRows } from "./tables/exported.ts";
import type { Pruned } from "./tables/meta.ts";
import type { Answer, MovedRule, Outcome, OutcomeFilter } from "./tables/outcomes.ts";
import type { PhaseEvent } from "./tables/phase-events.ts";
import type { Proof } from "./tables/proofs.ts";
import type { Save, SaveFilter, SaveUpdate, StoredSave } from "./tables/saves.ts";
import type { Prompt, Session, SessionChanges, SessionFilter } from "./tables/sessions.ts";
import type { Snooze, SnoozeScope } from "./tables/snoozes.ts";
import type { StateColumns, StateRow } from "./tables/state.ts";
import type { BlockClaim, BlockOutcome, BlockRelease, Stop, StopFilter, StoredStop } from "./tables/stops.ts";
import type { Scope, SumQuestion, Sums } from "./tables/sums.ts";
import type { OutcomePage, OutcomePlace, SyncCursor, SyncState } from "./tables/sync.ts";
import type { Verification } from "./tables/verifications.ts";

/** What the programs remember between calls; every method may reject with a `StoreError`. */
export interface Store {
  readonly sessions: {
    /** The sessions that match, the last one seen first. */
    list(filter?: SessionFilter): Promise<Session[]>;
    /** Sets what is given and leaves the rest; touched files are added to those known. */
    update(agent: AgentName, sessionId: string, changes: SessionChanges): Promise<void>;
    /** Records a prompt of the human: a turn begins. */
    prompt(prompt: Prompt): Promise<void>;
  };
  readonly stops: {
    record(stop: Stop): Promise<void>;
    /** The stops that match, newest first. */
    list(filter?: StopFilter): Promise<StoredStop[]>;
    /** Whether a turn was blocked, by any of its names. */
    isBlocked(agent: AgentName, sessionId: string, turns: readonly string[]): Promise<boolean>;
    /** Claims the turn's one block; of several processes exactly one gets it. */
    claimBlock(claim: BlockClaim): Promise<BlockOutcome>;
    /** Releases a claimed block whose message never reached the agent. */
    releaseBlock(release: BlockRelease): Promise<void>;
  };
  readonly snoozes: {
    /** Replaces the snooze of a scope, or ends it if the new one is null; returns how many it ended. */
    set(scope: SnoozeScope, snooze: Omit<Snooze, "scope"> | null, at: Date): Promise<number>;
    /** The snoozes in force at a time; the first one ends first. */
    list(at: Date): Promise<Snooze[]>;
  };
  readonly saves: {
    /** Records the outcome of a save, or a later outcome of a recorded save; returns the record's id. */
    record(save: Save | SaveUpdate): Promise<number>;
    /** The saves that match, newest first. */
    list(filter?: SaveFilter): Promise<StoredSave[]>;
  };
  readonly proofs: {
    /** The settled files of a repository, the latest first. */
    list(root: string): Promise<Proof[]>;
    /** Records that these contents are settled; replaces what was known of the files. */
    record(root: string, proofs: readonly Proof[]): Promise<void>;
    /** Records that what a stop at this time asked about was left undone. */
    leave(root: string, at: Date): Promise<void>;
  };
  readonly verifications: {
    /** The known contents of a repository's files, by file, the latest first. */
    list(root: string): Promise<Verification[]>;
    /** Records what is known about contents; a verified content stays verified. */
    record(root: string, verifications: readonly Verification[]): Promise<void>;
    /** Replaces the time up to which turns were searched for them, and returns the old one; null if there was none. */
    advance(to: Date): Promise<Date | null>;
  };
  readonly exports: {
    /** The rows that a target has not taken, at most so many of each kind. */
    unsent(target: string, limit: number): Promise<UnsentRows>;
    /** Records that a target has taken rows, so that they are not sent to it again. */
    markSent(target: string, rows: UnsentRows): Promise<void>;
  };
  readonly outcomes: {
    /** Records outcomes; what is recorded already stays. */
    record(outcomes: readonly Outcome[]): Promise<void>;
    /** The outcomes that match, newest first. */
    list(filter?: OutcomeFilter): Promise<Outcome[]>;
    /** The newest answers to a rule since a time, said or not. */
    newest(answers: Scope & { readonly isShadow: boolean; readonly since: Date }): Promise<readonly Answer[]>;
    /** The newest answers, by repository, to those of its rules that were ignored or waived at least so often since a time. */
    left(since: Date, atLeast: number): Promise<ReadonlyMap<string, readonly Answer[]>>;
    /** The stops and answers of days and of a period, summed up. */
    sumUp(question: SumQuestion): Promise<Sums>;
    /** Whether it is time to settle outcomes; only one of several processes is told so. */
    claimSettling(): Promise<boolean>;
  };
  readonly modes: {
    /** The rules of a repository that the program has moved. */
    list(root: string): Promise<MovedRule[]>;
    move(root: string, moved: MovedRule): Promise<void>;
  };
  readonly phases: {
    /**
     * Adds the steps of a project's phases, each once, and returns all of the project, newest first; a rebuild deletes all
     * others.
     */
    merge(
      projectPath: string,
      events: readonly PhaseEvent[],
      options?: { readonly rebuild?: boolean | undefined },
    ): Promise<PhaseEvent[]>;
  };
  readonly sync: {
    /** The stops after an id, without canaries, the first one first. */
    stops(id: number, limit: number): Promise<StoredStop[]>;
    /** The outcomes after a place in the order of their judgement. */
    outcomes(place: OutcomePlace, limit: number): Promise<OutcomePage>;
    /** How far a target is up to date. */
    cursor(target: string): Promise<SyncCursor>;
    move(target: string, to: StoredStop | Date): Promise<void>;
    /** Whether a sync may start by itself; only one of several processes gets true. */
    claim(): Promise<boolean>;
    /** Records how a sync ended; after failures the next one waits longer. */
    note(isDone: boolean): Promise<void>;
    state(): Promise<SyncState>;
  };
  /** Deletes rows older than this many days, at most once a day; null if that was done already. */
  prune(days: number): Promise<Pruned | null>;
  close(): Promise<void>;
}

/** The rows of sessions as keys and values, which a snapshot can store and restore. */
export interface State {
  /** The rows whose keys begin with a prefix: `session/<agent>/<id>`. */
  list(prefix: string): Promise<StateRow[]>;
  /** Sets or deletes a key if it has the expected version: null for absent, undefined for any. */
  set(key: string, value: StateColumns | null, expected: string | null | undefined): Promise<"done" | "conflict">;
  close(): Promise<void>;
}
