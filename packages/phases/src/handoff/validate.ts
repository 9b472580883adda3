import * as v from "valibot";
import { describeIssues, plainCopy } from "../given-values.ts";
import { isRecord } from "@agent-checkpoint/files";
import { CheckpointError, type Reporter, sharedReporter } from "../report.ts";
import { validateContextSummary } from "../tokens/context-summary.ts";
import {
  type HandoffCheck,
  type HandoffRequest,
  HandoffRequestSchema,
  type HandoffResponse,
  HandoffResponseSchema,
} from "./messages.ts";

/** Validates a request to a sub-agent: its fields, its mode, and the length of its summary. */
export function validateHandoffRequest(
  request: unknown,
  reporter: Reporter = sharedReporter,
): HandoffCheck<HandoffRequest> {
  return reportCheck("Handoff request", reporter, () => {
    const draft = withTodaysNames(plainCopy(request, "The request"));
    return checkMessage(HandoffRequestSchema, draft, ({ context }) => context.previous_summary);
  });
}

/** Validates a response: its fields, the length of its summary, and its task. */
export function validateHandoffResponse(
  response: unknown,
  request?: { readonly task_id: string } | null,
  reporter: Reporter = sharedReporter,
): HandoffCheck<HandoffResponse> {
  return reportCheck("Handoff response", reporter, () => {
    const value = plainCopy(response, "The response");
    const errors = taskErrors(value, request);
    return checkMessage(HandoffResponseSchema, { value, errors, warnings: [] }, (message) => message.context_summary);
  });
}

function taskErrors(response: unknown, request: { readonly task_id: string } | null | undefined): string[] {
  if (request === undefined || request === null || !isRecord(response)) return [];
  const { task_id: answered } = response;
  const { task_id: asked } = request;
  return answered === asked ? [] : [`\`task_id\`: expected the request's ${show(asked)}, found ${show(answered)}`];
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? "nothing";
}

const NAME = "previous_summary";
const OLD_NAME = "previous_findings";

/**
 * A request with the summary of the phase before under today's name and in its place, `context.previous_summary`.
 * It may come under its old name or outside of the context, so that no way past the limit is left; two that differ are refused.
 */
function withTodaysNames(request: unknown): Draft {
  if (!isRecord(request) || !isRecord(request["context"])) return { value: request, errors: [], warnings: [] };
  const { [NAME]: outside, [OLD_NAME]: oldOutside, ...rest } = request;
  const { [NAME]: inside, [OLD_NAME]: oldInside, ...context } = request["context"];
  const given = [inside, outside, oldInside, oldOutside].filter((summary) => summary !== undefined && summary !== null);
  const isOld = [oldInside, oldOutside].some((summary) => summary !== undefined && summary !== null);
  const summary = given[0] ?? inside;
  return {
    value: { ...rest, context: summary === undefined ? context : { ...context, [NAME]: summary } },
    errors: given.some((other) => other !== given[0])
      ? [`\`${NAME}\` and \`${OLD_NAME}\` differ: send one of them`]
      : [],
    warnings: isOld ? [`\`${OLD_NAME}\` is the old name of \`${NAME}\``] : [],
  };
}

/** What is known about a message before its shape is checked. */
interface Draft {
  readonly value: unknown;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Checks a message against its schema and its summary against the limit; returns the message only if both are valid. */
function checkMessage<Message>(
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

/** Runs a check that never throws, and logs its findings. */
function reportCheck<Message>(
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
