import { CheckpointError, type Fault } from "./checkpoint-error.ts";

/** Where calls that never throw leave their trouble. */
export interface Reporter {
  /** Does the work; what it throws becomes a line of the log, and the call gives the fallback. */
  readonly attempt: <Value>(work: () => Value, fallback: Value) => Value;
  /** Writes a line without a call having failed. */
  readonly warn: (message: string) => void;
  /** What the last attempt failed with; null if it did not. */
  readonly getLastError: () => Fault | null;
}

/** A reporter that writes its lines with a function. */
export function createReporter(logError: (line: string) => void): Reporter {
  let lastError: Fault | null = null;
  const warn = (message: string): void => {
    try {
      logError(onOneLine(message));
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
  return { code: "failed", message: error instanceof Error ? error.message : "something that is no error was thrown" };
}

/** Names and contents of files are part of a message, and must not be able to write a line of their own. */
function onOneLine(message: string): string {
  return message.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
