import { connect } from "./sqlite/connection.ts";
import { type DriverOptions, loadDriver } from "./sqlite/load-driver.ts";
import { openDatabase } from "./sqlite/open-database.ts";
import { setAside } from "./sqlite/set-aside.ts";
import { toStoreError, type StoreFault } from "./store-error.ts";
import { createStore, type State, type Store } from "./store.ts";

/** How a store is opened. */
export interface OpenOptions extends DriverOptions {
  readonly now?: (() => Date) | undefined;
  /** How long a statement waits for another process: 1500 ms, since an agent waits as well. */
  readonly busyTimeoutMs?: number | undefined;
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

/**
 * Opens the store of a home and makes it where there is none; what waits in the journal is in it then.
 * A corrupt database is set aside, and the next call starts anew.
 */
export async function openStore(home: string, options: OpenOptions = {}): Promise<StoreResult> {
  const opened = await open(home, options);
  return opened.ok ? { ok: true, store: opened.store } : opened;
}

/** Opens the rows of a home's sessions as keys and values. */
export async function openState(home: string, options: OpenOptions = {}): Promise<StateResult> {
  const opened = await open(home, options);
  return opened.ok ? { ok: true, state: opened.state } : opened;
}

async function open(
  home: string,
  options: OpenOptions,
): Promise<{ readonly ok: true; readonly store: Store; readonly state: State } | StoreRefusal> {
  const { now = () => new Date(), busyTimeoutMs = 1500 } = options;
  try {
    const openSqlite = await loadDriver(options);
    const lock = { home, openSqlite, busyTimeoutMs };
    const { sqlite, identity } = openDatabase(lock, now());
    const { store, state } = createStore({
      connection: connect(sqlite, { home, now }),
      close: () => sqlite.close(),
      discard: (fault) => {
        sqlite.close();
        return setAside(lock, { identity, fault, at: now() });
      },
    });
    await foldOrClose(store);
    return { ok: true, store, state };
  } catch (error) {
    const { reason, message } = toStoreError(error);
    return { ok: false, reason, detail: message };
  }
}

/** A store that cannot take in what waits is as unusable as one that cannot be opened. */
async function foldOrClose(store: Store): Promise<void> {
  try {
    await store.foldJournal();
  } catch (error) {
    // One that was set aside is closed already.
    await store.close().catch(() => {});
    throw error;
  }
}
