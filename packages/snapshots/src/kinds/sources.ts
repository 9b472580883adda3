import type { StateAdapter } from "../state/state-adapter.ts";

/** What kinds other than files reach their state by. */
export interface Sources {
  /** The folder of our own store, which is where state keys live unless an adapter was given. */
  readonly home: string;
  readonly state: StateAdapter | null;
  /** The variables that database programs are started with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long others may hold a database that is to be restored. */
  readonly databaseWaitMs: number;
}
