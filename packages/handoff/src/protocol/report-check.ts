import { CheckpointError } from "../report/checkpoint-error.ts";
import type { Reporter } from "../report/reporter.ts";
import type { HandoffCheck } from "./types.ts";

/** Does a check that never throws; what it finds also goes to the log. */
export function reportCheck<Message>(
  what: string,
  reporter: Reporter,
  check: () => HandoffCheck<Message>,
): HandoffCheck<Message> {
  let result: HandoffCheck<Message> | null = null;
  reporter.attempt(() => {
    result = check();
    for (const warning of result.warnings) reporter.warn(`${what}: ${warning}`);
    if (!result.valid) throw new CheckpointError("invalid", `${what}: ${result.errors.join("; ")}`);
  }, undefined);
  const message = reporter.getLastError()?.message ?? "it could not be looked at";
  return result ?? { valid: false, errors: [message], warnings: [], message: null };
}
