import type { AgentName } from "@agent-checkpoint/transcript";
import { claimBlock, type BlockClaim, type BlockOutcome } from "./records/claim-block.ts";
import { foldJournal, type Folded } from "./records/fold-journal.ts";
import { getSession } from "./records/get-session.ts";
import { hasBlocked } from "./records/has-blocked.ts";
import { listSaves, type SaveFilter } from "./records/list-saves.ts";
import { listPhaseEvents, type PhaseEventFilter } from "./records/list-phase-events.ts";
import { listSessions, type SessionFilter } from "./records/list-sessions.ts";
import { isSnoozed, listSnoozes, type SnoozedPlace } from "./records/list-snoozes.ts";
import { getStop, listStops, type StopFilter } from "./records/list-stops.ts";
import { prune, pruneIfDue, type Pruned } from "./records/prune.ts";
import type { StoredPhaseEvent } from "./records/phase-event.ts";
import { rebuildPhaseEvents, recordPhaseEvents } from "./records/record-phase-events.ts";
import { recordPrompt, type Prompt } from "./records/record-prompt.ts";
import { recordSave, updateSave } from "./records/record-save.ts";
import { recordStop } from "./records/record-stop.ts";
import { releaseBlock, type BlockRelease } from "./records/release-block.ts";
import type { Save, StoredSave } from "./records/save.ts";
import type { Session } from "./records/session.ts";
import { getState, listStateKeys, setState, type StateColumns, type StateRow } from "./records/state.ts";
import { endSnoozes, snoozeStops } from "./records/snooze-stops.ts";
import type { Snooze, SnoozeScope } from "./records/snooze.ts";
import type { Stop, StoredStop } from "./records/stop.ts";
import { updateSession, type SessionChanges } from "./records/update-session.ts";
import { type Connection, type QueryConnection, withQueries } from "./sqlite/connection.ts";
import { toStoreError, type StoreError } from "./store-error.ts";

/** What the programs know between two calls; every method may reject with a `StoreError`. */
export interface Store {
  getSession(agent: AgentName, sessionId: string): Promise<Session | null>;
  /** Notes that the human spoke: a turn begins. */
  recordPrompt(prompt: Prompt): Promise<void>;
  /** Whether a turn was blocked, by any of its names. */
  hasBlocked(agent: AgentName, sessionId: string, turns: string | readonly string[]): Promise<boolean>;
  /** Takes the one block a turn has; of several processes exactly one gets it. */
  claimBlock(claim: BlockClaim): Promise<BlockOutcome>;
  /** Gives a claimed block back whose message never reached the agent. */
  releaseBlock(release: BlockRelease): Promise<void>;
  recordStop(stop: Stop): Promise<void>;
  /** Sets what is given and leaves the rest; touched files are added to those known. */
  updateSession(agent: AgentName, sessionId: string, changes: SessionChanges): Promise<void>;
  /** The stops that match, newest first. */
  listStops(filter?: StopFilter): Promise<StoredStop[]>;
  /** The stop of a number; null where there is none. */
  getStop(id: number): Promise<StoredStop | null>;
  /** The sessions that match, the last one heard of first. */
  listSessions(filter?: SessionFilter): Promise<Session[]>;
  /** Lets the stops of a scope go for a while; what was said of the same scope before ends. */
  snoozeStops(snooze: Snooze): Promise<void>;
  /** Ends what lets the stops of a scope go, and gives how many snoozes that were. */
  endSnoozes(scope: SnoozeScope, at: Date): Promise<number>;
  /** The snoozes in force at a time, the one that ends first at the head. */
  listSnoozes(at: Date): Promise<Snooze[]>;
  /** Whether a stop is let go by a person's word. */
  isSnoozed(place: SnoozedPlace, at: Date): Promise<boolean>;
  /** Takes the steps of phases in, each once, and gives how many were new. */
  recordPhaseEvents(events: readonly StoredPhaseEvent[]): Promise<number>;
  /** Forgets the steps of a project's phases, and takes these in instead. */
  rebuildPhaseEvents(projectPath: string, events: readonly StoredPhaseEvent[]): Promise<void>;
  /** The steps of phases that match, newest first. */
  listPhaseEvents(filter?: PhaseEventFilter): Promise<StoredPhaseEvent[]>;
  /** The keys of what can be kept and brought back, by prefix: `session/<agent>/<id>`. */
  listStateKeys(prefix: string): Promise<string[]>;
  /** What a key holds, with its version; null where it is absent. */
  getState(key: string): Promise<StateRow | null>;
  /** Sets or deletes a key if it has the expected version: null for absent, undefined for any. */
  setState(key: string, value: StateColumns | null, expected: string | null | undefined): Promise<"done" | "conflict">;
  /** Records what came of saving a session's work, and gives the record's number. */
  recordSave(save: Save): Promise<number>;
  /** Sets what came of a save later on. */
  updateSave(id: number, outcome: string, detail: string | null): Promise<void>;
  /** The saves that match, newest first. */
  listSaves(filter?: SaveFilter): Promise<StoredSave[]>;
  /** Deletes what is older. */
  prune(olderThan: Date): Promise<Pruned>;
  /** Deletes what is older than so many days, unless that was done within a day; null if it was. */
  pruneIfDue(days: number): Promise<Pruned | null>;
  /** Takes in what came to the journal since the store was opened, each line exactly once. */
  foldJournal(): Promise<Folded>;
  close(): Promise<void>;
}

/** What a store works with. */
export interface StoreParts {
  readonly connection: Connection;
  readonly close: () => void;
  /** Sets the database aside and tells what became of it. */
  readonly discard: (fault: StoreError) => StoreError;
}

/** Binds the methods to an open database. */
export function createStore({ connection, close, discard }: StoreParts): Store {
  let discarded: StoreError | null = null;
  let querying: Promise<QueryConnection> | null = null;

  const run = <Result>(work: () => Result): Result => {
    if (discarded !== null) throw discarded;
    try {
      return work();
    } catch (error) {
      const fault = toStoreError(error);
      if (fault.reason !== "corrupt") throw fault;
      discarded = discard(fault);
      throw discarded;
    }
  };

  const bound =
    <Given extends readonly unknown[], Result>(method: (connection: Connection, ...given: Given) => Result) =>
    async (...given: Given): Promise<Result> =>
      run(() => method(connection, ...given));

  /** For what no hook asks: the query builder is loaded when one of these is first called. */
  const queried =
    <Given extends readonly unknown[], Result>(method: (connection: QueryConnection, ...given: Given) => Result) =>
    async (...given: Given): Promise<Result> => {
      const queries = await (querying ??= withQueries(connection));
      return run(() => method(queries, ...given));
    };

  return {
    getSession: bound(getSession),
    recordPrompt: bound(recordPrompt),
    hasBlocked: bound(hasBlocked),
    claimBlock: bound(claimBlock),
    releaseBlock: queried(releaseBlock),
    recordStop: bound(recordStop),
    updateSession: bound(updateSession),
    listStops: queried(listStops),
    getStop: queried(getStop),
    listSessions: queried(listSessions),
    snoozeStops: queried(snoozeStops),
    endSnoozes: queried(endSnoozes),
    listSnoozes: bound(listSnoozes),
    isSnoozed: bound(isSnoozed),
    recordPhaseEvents: queried(recordPhaseEvents),
    rebuildPhaseEvents: queried(rebuildPhaseEvents),
    listPhaseEvents: queried(listPhaseEvents),
    listStateKeys: queried(listStateKeys),
    getState: queried(getState),
    setState: queried(setState),
    recordSave: queried(recordSave),
    updateSave: queried(updateSave),
    listSaves: queried(listSaves),
    prune: bound(prune),
    pruneIfDue: bound(pruneIfDue),
    foldJournal: bound(foldJournal),
    close: async () => close(),
  };
}
