import { openNodeSqlite, type OpenSqlite } from "./sqlite/node-sqlite.ts";
import { type DatabaseHome, openDatabase, setAside } from "./sqlite/open-database.ts";
import { type StoreError, type StoreFault, toStoreError } from "./store-error.ts";
import type { State, Store } from "./store.ts";
import { connect, type Connection } from "./tables/connection.ts";
import { listUnsent, markSent } from "./tables/exported.ts";
import { advanceVerifying, claimSettling, prune } from "./tables/meta.ts";
import { listMovedRules, listOutcomes, moveRule, recordOutcomes } from "./tables/outcomes.ts";
import { mergePhaseEvents } from "./tables/phase-events.ts";
import { leaveProofs, listProofs, recordProofs } from "./tables/proofs.ts";
import { listSaves, recordSave } from "./tables/saves.ts";
import { MIGRATIONS } from "./tables/schema.ts";
import { listSessions, recordPrompt, updateSession } from "./tables/sessions.ts";
import { listSnoozes, setSnooze } from "./tables/snoozes.ts";
import { listState, setState } from "./tables/state.ts";
import { claimBlock, isBlocked, listStops, recordStop, releaseBlock } from "./tables/stops.ts";
import { listLeft, listNewest, sumUp } from "./tables/sums.ts";
import {
  claimSync,
  listOutcomesAfter,
  listStopsAfter,
  moveCursor,
  noteSync,
  readCursor,
  readSyncState,
} from "./tables/sync.ts";
import { listVerifications, recordVerifications } from "./tables/verifications.ts";

export interface OpenOptions {
  readonly now?: (() => Date) | undefined;
  /** How long a statement waits for another process: 1500 ms by default, because an agent waits as well. */
  readonly busyTimeoutMs?: number | undefined;
  /** Which SQLite opens the file: Node's own by default. */
  readonly openSqlite?: OpenSqlite | undefined;
}

/** An open store, or why there is none. */
export type StoreResult = { readonly ok: true; readonly store: Store } | StoreRefusal;

/** Opened session rows, or why there are none. */
export type StateResult = { readonly ok: true; readonly state: State } | StoreRefusal;

interface StoreRefusal {
  readonly ok: false;
  readonly reason: StoreFault;
  readonly detail: string;
}

/** Opens the store of a home, or creates it. A corrupt database is set aside, and the next call creates a new one. */
export async function openStore(home: string, options: OpenOptions = {}): Promise<StoreResult> {
  try {
    const { bind, close } = openBound(home, options);
    const store: Store = {
      sessions: { list: bind(listSessions), update: bind(updateSession), prompt: bind(recordPrompt) },
      stops: {
        record: bind(recordStop),
        list: bind(listStops),
        isBlocked: bind(isBlocked),
        claimBlock: bind(claimBlock),
        releaseBlock: bind(releaseBlock),
      },
      snoozes: { set: bind(setSnooze), list: bind(listSnoozes) },
      saves: { record: bind(recordSave), list: bind(listSaves) },
      proofs: { list: bind(listProofs), record: bind(recordProofs), leave: bind(leaveProofs) },
      verifications: {
        list: bind(listVerifications),
        record: bind(recordVerifications),
        advance: bind(advanceVerifying),
      },
      exports: { unsent: bind(listUnsent), markSent: bind(markSent) },
      outcomes: {
        record: bind(recordOutcomes),
        list: bind(listOutcomes),
        newest: bind(listNewest),
        left: bind(listLeft),
        sumUp: bind(sumUp),
        claimSettling: bind(claimSettling),
      },
      modes: { list: bind(listMovedRules), move: bind(moveRule) },
      phases: { merge: bind(mergePhaseEvents) },
      sync: {
        stops: bind(listStopsAfter),
        outcomes: bind(listOutcomesAfter),
        cursor: bind(readCursor),
        move: bind(moveCursor),
        claim: bind(claimSync),
        note: bind(noteSync),
        state: bind(readSyncState),
      },
      prune: bind(prune),
      close,
    };
    return { ok: true, store };
  } catch (error) {
    return refusal(error);
  }
}

/** Opens the rows of a home's sessions as keys and values. */
export async function openState(home: string, options: OpenOptions = {}): Promise<StateResult> {
  try {
    const { bind, close } = openBound(home, options);
    return { ok: true, state: { list: bind(listState), set: bind(setState), close } };
  } catch (error) {
    return refusal(error);
  }
}

function refusal(error: unknown): StoreRefusal {
  const { reason, message } = toStoreError(error);
  return { ok: false, reason, detail: message };
}

type Method<Given extends readonly unknown[], Result> = (connection: Connection, ...given: Given) => Result;

/** Opens the database of a home, and binds methods to it that report its faults. */
function openBound(home: string, { now = () => new Date(), busyTimeoutMs = 1500, openSqlite }: OpenOptions) {
  const place: DatabaseHome = { home, openSqlite: openSqlite ?? openNodeSqlite, busyTimeoutMs };
  const { sqlite, identity } = openDatabase(place, { migrations: MIGRATIONS, at: now() });
  const connection = connect(sqlite, now);
  let fault: StoreError | null = null;

  function bind<Given extends readonly unknown[], Result>(method: Method<Given, Result>) {
    return async (...given: Given): Promise<Result> => {
      if (fault !== null) throw fault;
      try {
        return method(connection, ...given);
      } catch (error) {
        const found = toStoreError(error);
        if (found.reason !== "corrupt") throw found;
        sqlite.close();
        fault = setAside(place, { identity, fault: found, at: now() });
        throw fault;
      }
    };
  }

  return { bind, close: async (): Promise<void> => sqlite.close() };
}
