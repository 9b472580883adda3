import { blankInvisible } from "@agent-checkpoint/files";

/** Why a call failed. */
export type FaultCode =
  /** An invalid name of a command, feature or phase. */
  | "bad-name"
  /** A document, a patch or a message of the wrong shape. */
  | "invalid"
  /** A summary or a document over its limit. */
  | "too-long"
  /** A step that a phase may not take. */
  | "bad-step"
  /** There is no checkpoint to work on. */
  | "no-checkpoint"
  /** A file that is not a valid phase file; it has been set aside. */
  | "corrupt"
  /** A file of another feature, or of a newer version of this program. */
  | "not-ours"
  /** Another process has saved in the meantime. */
  | "conflict"
  /** Another process holds the lock. */
  | "locked"
  /** There is no folder to keep state in, or it leads out of the project. */
  | "no-folder"
  /** The system failed: no space, no permission, or a bug. */
  | "failed";

/** A fault by its kind, with a message for the log. */
export interface Fault {
  readonly code: FaultCode;
  readonly message: string;
}

/** A fault on its way to the edge, which logs it and returns a default. */
export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Collects the faults of calls that never throw. */
export interface Reporter {
  /** Does the work; an error is logged, and the fallback is returned. */
  readonly attempt: <Value>(work: () => Value, fallback: Value) => Value;
  /** Logs a warning. */
  readonly warn: (message: string) => void;
  /** The fault of the last attempt; null if it did not fail. */
  readonly getLastError: () => Fault | null;
}

/** A reporter that writes its lines with a function. */
export function createReporter(logError: (line: string) => void): Reporter {
  let lastError: Fault | null = null;
  const warn = (message: string): void => {
    try {
      // Names and contents of files are part of a message, and must not be able to write a line of their own.
      logError(blankInvisible(message));
    } catch {
      // A log that fails must not fail the call.
    }
  };
  return {
    attempt: (work, fallback) => {
      lastError = null;
      try {
        return work();
      } catch (error) {
        lastError = toFault(error);
        warn(lastError.message);
        return fallback;
      }
    },
    warn,
    getLastError: () => lastError,
  };
}

function toFault(error: unknown): Fault {
  if (error instanceof CheckpointError) return { code: error.code, message: error.message };
  return {
    code: "failed",
    message: error instanceof Error ? error.message : "a value that is not an error was thrown",
  };
}

let write: (line: string) => void = writeToStderr;

/** Writes a line of the log, to stderr by default; `setLogError` changes that. */
export function logError(line: string): void {
  write(line);
}

/** Sends the lines of the log elsewhere; null sends them to stderr again. */
export function setLogError(log: ((line: string) => void) | null): void {
  write = log ?? writeToStderr;
}

/** The reporter of all calls without their own. */
export const sharedReporter: Reporter = createReporter((line) => logError(line));

/** The fault of the last call; null if it did not fail. */
export function getLastError(): Fault | null {
  return sharedReporter.getLastError();
}

function writeToStderr(line: string): void {
  process.stderr.write(`checkpoint: ${line}\n`);
}
