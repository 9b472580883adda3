import type { Entry } from "../manifest/entry.ts";

/** One kind of database. Dumps of the same state are the same bytes, so their hash is the hash of the state. */
export interface DatabaseDriver {
  /** Writes all of a database into a new file; null where there is no such database. */
  readonly dump: (name: string, file: string) => Promise<DumpFacts | null>;
  /** Brings a dump into a place of its own by the code of a restore, and dumps that again into a new file. */
  readonly rehearse: (request: Rehearsal) => Promise<void>;
  /** Replaces what a database holds, in one step. */
  readonly replace: (request: Replacement) => Promise<void>;
  /** The name of the file that a dump is written out to. */
  readonly fileName: (name: string) => string;
}

/** What is known of a dump besides its bytes. */
export interface DumpFacts {
  /** The permission bits of the database's file; 0 where it has none. */
  readonly mode: number;
  /** Which database it is, so that another one behind the same name is noticed; null where the name tells. */
  readonly identity: string | null;
  readonly summary: string;
  readonly assumptions: readonly string[];
}

export interface Rehearsal {
  readonly name: string;
  readonly dump: string;
  /** An empty folder. */
  readonly folder: string;
  readonly again: string;
}

export interface Replacement {
  readonly name: string;
  readonly from: Entry;
  readonly to: Entry;
  /** The dump of what shall be; null where the database shall be gone. */
  readonly dump: string | null;
  /** An empty folder of this restore's own, with the same path when it is resumed. */
  readonly staging: string;
  /** Whether an earlier run may have been cut short, and left something beside the database. */
  readonly isResumed: boolean;
  /** Whether the database is already as it shall be. */
  readonly isDone: boolean;
}
