import type { AgentName } from "@agent-checkpoint/transcript";
import { claimBlock, type BlockClaim, type BlockOutcome } from "./records/claim-block.ts";
import { foldJournal, type Folded } from "./records/fold-journal.ts";
import { getSession } from "./records/get-session.ts";
import { hasBlocked } from "./records/has-blocked.ts";
import { listStops, type StopFilter } from "./records/list-stops.ts";
import { prune, pruneIfDue, type Pruned } from "./records/prune.ts";
import { recordPrompt, type Prompt } from "./records/record-prompt.ts";
import { recordStop } from "./records/record-stop.ts";
import { releaseBlock, type BlockRelease } from "./records/release-block.ts";
import type { Session } from "./records/session.ts";
import type { Stop } from "./records/stop.ts";
import { updateSession, type SessionChanges } from "./records/update-session.ts";
import type { Connection } from "./sqlite/connection.ts";
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
  listStops(filter?: StopFilter): Promise<Stop[]>;
  /** Deletes what is older. */
  prune(olderThan: Date): Promise<Pruned>;
  /** Deletes what is older than so many days, unless that was done within a day; null if it was. */
  pruneIfDue(days: number): Promise<Pruned | null>;
  /** Takes the stops of the journal in, each exactly once. */
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

  const bound =
    <Given extends readonly unknown[], Result>(method: (connection: Connection, ...given: Given) => Result) =>
    async (...given: Given): Promise<Result> => {
      if (discarded !== null) throw discarded;
      try {
        return method(connection, ...given);
      } catch (error) {
        const fault = toStoreError(error);
        if (fault.reason !== "corrupt") throw fault;
        discarded = discard(fault);
        throw discarded;
      }
    };

  return {
    getSession: bound(getSession),
    recordPrompt: bound(recordPrompt),
    hasBlocked: bound(hasBlocked),
    claimBlock: bound(claimBlock),
    releaseBlock: bound(releaseBlock),
    recordStop: bound(recordStop),
    updateSession: bound(updateSession),
    listStops: bound(listStops),
    prune: bound(prune),
    pruneIfDue: bound(pruneIfDue),
    foldJournal: bound(foldJournal),
    close: async () => close(),
  };
}
