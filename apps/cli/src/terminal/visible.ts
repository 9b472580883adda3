import { escapeInvisible } from "@agent-checkpoint/files";
import { redact } from "@agent-checkpoint/redaction";

/** A foreign string for a line on a terminal: without its secrets, and whatever would act there as a visible escape. */
export function visible(text: string): string {
  return escapeInvisible(redact(text));
}
