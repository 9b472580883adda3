import type { OpenOptions } from "../open-store.ts";

/** What a store may be opened with: the tests of its contract run with each. */
export const DRIVERS: readonly Pick<OpenOptions, "sqlite">[] = [{ sqlite: "better-sqlite3" }, { sqlite: "node" }];
