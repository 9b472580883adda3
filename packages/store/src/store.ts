import type { AgentName } from "@agent-checkpoint/transcript";
import { claimBlock, type BlockClaim, type BlockOutcome } from "./records/claim-block.ts";
import { foldJournal, type Folded } from "./records/fold-journal.ts";
import { getSession } from "./records/get-session.ts";
import { hasBlocked } from "./records/has-blocked.ts";
import { listSaves, type SaveFilter } from "./records/list-saves.ts";
import { listSessions, type SessionFilter } from "./records/list-sessions.ts";
import { listSnoozes } from "./records/list-snoozes.ts";
import { listStops, type StopFilter } from "./records/list-stops.ts";
import type { PhaseEvent } from "./records/phase-event.ts";
import { pruneIfDue, type Pruned } from "./records/prune.ts";
import { mergePhaseEvents } from "./records/record-phase-events.ts";
import { recordPrompt, type Prompt } from "./records/record-prompt.ts";
import { recordSave, type SaveUpdate } from "./records/record-save.ts";
import { recordStop } from "./records/record-stop.ts";
import { releaseBlock, type BlockRelease } from "./records/release-block.ts";
import type { Save, StoredSave } from "./records/save.ts";
import type { Session } from "./records/session.ts";
import { setSnooze } from "./records/snooze-stops.ts";
import type { Snooze, SnoozeScope } from "./records/snooze.ts";
import { listState, setState, type StateColumns, type StateRow } from "./records/state.ts";
import type { Stop, StoredStop } from "./records/stop.ts";
import { updateSession, type SessionChanges } from "./records/update-session.ts";
import { type Connection, type QueryConnection, withQueries } from "./sqlite/connection.ts";
import { toStoreError, type StoreError } from "./store-error.ts";

/** What the programs know between two calls, by what it is about; every method may reject with a `StoreError`. */
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
    /** Takes the one block a turn has; of several processes exactly one gets it. */
    claimBlock(claim: BlockClaim): Promise<BlockOutcome>;
    /** Gives a claimed block back whose message never reached the agent. */
    releaseBlock(release: BlockRelease): Promise<void>;
  };
  readonly snoozes: {
    /** Replaces the snooze of a scope, or ends it if the new one is null; gives how many it ended. */
    set(scope: SnoozeScope, snooze: Omit<Snooze, "scope"> | null, at: Date): Promise<number>;
    /** The snoozes in force at a time, the one that ends first at the head. */
    list(at: Date): Promise<Snooze[]>;
  };
  readonly saves: {
    /** Records what came of saving a session's work, or what came of a recorded save later on; gives the record's id. */
    record(save: Save | SaveUpdate): Promise<number>;
    /** The saves that match, newest first. */
    list(filter?: SaveFilter): Promise<StoredSave[]>;
  };
  readonly phases: {
    /** Takes in the steps of a project's phases, each once, and gives all of the project, newest first; a rebuild forgets the others. */
    merge(
      projectPath: string,
      events: readonly PhaseEvent[],
      options?: { readonly rebuild?: boolean | undefined },
    ): Promise<PhaseEvent[]>;
  };
  /** Deletes what is older than so many days, unless that was done within a day; null if it was. */
  prune(days: number): Promise<Pruned | null>;
  close(): Promise<void>;
  /** Takes in what was appended to the journal since the store was opened, each line exactly once. */
  foldJournal(): Promise<Folded>;
}

/** The rows of sessions as keys and values, which a snapshot can take and bring back. */
export interface State {
  /** The rows whose keys begin with a prefix: `session/<agent>/<id>`. */
  list(prefix: string): Promise<StateRow[]>;
  /** Sets or deletes a key if it has the expected version: null for absent, undefined for any. */
  set(key: string, value: StateColumns | null, expected: string | null | undefined): Promise<"done" | "conflict">;
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
export function createStore({ connection, close, discard }: StoreParts): {
  readonly store: Store;
  readonly state: State;
} {
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

  const find = bound(getSession);
  const listAll = queried(listSessions);
  const closeAll = async () => close();
  const store: Store = {
    sessions: {
      list: async (filter = {}) => {
        const { agent, sessionId } = filter;
        if (agent === undefined || sessionId === undefined) return listAll(filter);
        const session = await find(agent, sessionId);
        return session === null ? [] : [session];
      },
      update: bound(updateSession),
      prompt: bound(recordPrompt),
    },
    stops: {
      record: bound(recordStop),
      list: queried(listStops),
      isBlocked: bound(hasBlocked),
      claimBlock: bound(claimBlock),
      releaseBlock: queried(releaseBlock),
    },
    snoozes: { set: queried(setSnooze), list: bound(listSnoozes) },
    saves: { record: queried(recordSave), list: queried(listSaves) },
    phases: { merge: queried(mergePhaseEvents) },
    prune: bound(pruneIfDue),
    close: closeAll,
    foldJournal: bound(foldJournal),
  };
  return { store, state: { list: queried(listState), set: queried(setState), close: closeAll } };
}
