import { plainCopy } from "../data/plain-copy.ts";
import { sharedReporter } from "../report/log-error.ts";
import type { Reporter } from "../report/reporter.ts";
import { checkMessage } from "./check-message.ts";
import { reportCheck } from "./report-check.ts";
import { HandoffRequestSchema } from "./schema.ts";
import type { HandoffCheck, HandoffRequest } from "./types.ts";
import { withTodaysNames } from "./with-todays-names.ts";

/** Says whether a request may go to a sub-agent: its fields, its mode, and a summary that keeps to the limit. */
export function validateHandoffRequest(
  request: unknown,
  reporter: Reporter = sharedReporter,
): HandoffCheck<HandoffRequest> {
  return reportCheck("Handoff request", reporter, () => {
    const draft = withTodaysNames(plainCopy(request, "The request"));
    return checkMessage(HandoffRequestSchema, draft, ({ context }) => context.previous_summary);
  });
}
