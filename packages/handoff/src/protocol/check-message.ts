import * as v from "valibot";
import { describeIssues } from "../data/describe-issues.ts";
import { validateContextSummary } from "../tokens/validate-context-summary.ts";
import type { HandoffCheck } from "./types.ts";

/** What is known of a message before its shape is looked at. */
export interface Draft {
  readonly value: unknown;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Holds a message against its schema and its summary against the limit; the message comes back only if all is well. */
export function checkMessage<Message>(
  schema: v.GenericSchema<unknown, Message>,
  { value, errors, warnings }: Draft,
  summaryOf: (message: Message) => string | null | undefined,
): HandoffCheck<Message> {
  const result = v.safeParse(schema, value, { abortPipeEarly: true });
  if (!result.success)
    return { valid: false, errors: [...errors, ...describeIssues(result.issues)], warnings, message: null };
  const summary = summaryOf(result.output) ?? "";
  const { error } = validateContextSummary(summary);
  const all = error === undefined ? errors : [...errors, error];
  return { valid: all.length === 0, errors: all, warnings, message: all.length === 0 ? result.output : null };
}
