import { errorMessage } from "@agent-checkpoint/files";

export type StoreFault = "cannot-create" | "locked" | "corrupt" | "newer-schema" | "disk-full" | "unusable";

export class StoreError extends Error {
  readonly reason: StoreFault;

  constructor(reason: StoreFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreError";
    this.reason = reason;
  }
}

/** What SQLite's and the system's error codes mean for the store; the first row that matches counts. */
const FAULTS: readonly { readonly code: RegExp; readonly reason: StoreFault | null }[] = [
  { code: /^SQLITE_(BUSY|LOCKED|PROTOCOL)/, reason: "locked" },
  { code: /^SQLITE_(CORRUPT|NOTADB)/, reason: "corrupt" },
  // The shared memory file beside the database is the first thing that finds no room.
  { code: /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/, reason: "disk-full" },
  // SQLite's binary is missing or made for another machine.
  { code: /^(ERR_DLOPEN_FAILED|(ERR_)?MODULE_NOT_FOUND)$/, reason: "unusable" },
  { code: /^(SQLITE_\w+|E[A-Z0-9]+)$/, reason: null },
];

/**
 * The reason behind an error of SQLite or of the system; `fallback` if the code names no other.
 * Any other error is a bug and is thrown again.
 */
export function toStoreError(error: unknown, fallback: StoreFault = "unusable"): StoreError {
  if (error instanceof StoreError) return error;
  const code = errorCode(error);
  const fault = FAULTS.find((row) => code !== null && row.code.test(code));
  if (!fault) throw error;
  return new StoreError(fault.reason ?? fallback, `${code}: ${errorMessage(error)}`, { cause: error });
}

/** The code of an error of SQLite or of the system; Node's own SQLite has a number instead of a name. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return null;
  if (error.code !== "ERR_SQLITE_ERROR" || !("errcode" in error)) return error.code;
  const number = Number(error.errcode);
  // The lowest byte names the family, the rest what exactly.
  return SQLITE_CODES.get(number) ?? SQLITE_CODES.get(number & 0xff) ?? "SQLITE_ERROR";
}

const SQLITE_CODES: ReadonlyMap<number, string> = new Map([
  [5, "SQLITE_BUSY"],
  [6, "SQLITE_LOCKED"],
  [8, "SQLITE_READONLY"],
  [10, "SQLITE_IOERR"],
  [10 | (19 << 8), "SQLITE_IOERR_SHMSIZE"],
  [11, "SQLITE_CORRUPT"],
  [13, "SQLITE_FULL"],
  [14, "SQLITE_CANTOPEN"],
  [15, "SQLITE_PROTOCOL"],
  [26, "SQLITE_NOTADB"],
]);
