import type { StateAdapter } from "../state/state-adapter.ts";

/** What kinds other than files reach their state by. */
export interface Sources {
  /** The folder of our own store, the default place of state keys. */
  readonly home: string;
  readonly state: StateAdapter | null;
  /** The variables that database programs are started with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long to wait for other connections to a database before it is restored. */
  readonly databaseWaitMs: number;
}
