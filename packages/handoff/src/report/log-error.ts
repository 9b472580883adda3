import type { Fault } from "./checkpoint-error.ts";
import { createReporter, type Reporter } from "./reporter.ts";

let write: (line: string) => void = writeToStderr;

/** Writes a line of the log: to stderr, unless `setLogError` has named another place. */
export function logError(line: string): void {
  write(line);
}

/** Sends the lines of the log elsewhere; null sends them to stderr again. */
export function setLogError(log: ((line: string) => void) | null): void {
  write = log ?? writeToStderr;
}

/** What all calls report to that were given no reporter of their own. */
export const sharedReporter: Reporter = createReporter((line) => logError(line));

/** What the last call failed with, in words and by its kind; null if it did not fail. */
export function getLastError(): Fault | null {
  return sharedReporter.getLastError();
}

function writeToStderr(line: string): void {
  process.stderr.write(`checkpoint: ${line}\n`);
}
