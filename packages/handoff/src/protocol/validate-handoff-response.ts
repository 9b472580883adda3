import { isRecord } from "../data/is-record.ts";
import { plainCopy } from "../data/plain-copy.ts";
import { sharedReporter } from "../report/log-error.ts";
import type { Reporter } from "../report/reporter.ts";
import { checkMessage } from "./check-message.ts";
import { reportCheck } from "./report-check.ts";
import { HandoffResponseSchema } from "./schema.ts";
import type { HandoffCheck, HandoffResponse } from "./types.ts";

/** Says whether a response may be handed on: its fields, a summary that keeps to the limit, and the task it was asked for. */
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
