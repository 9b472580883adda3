import { escapeInvisible } from "@agent-checkpoint/files";
import { redact } from "@agent-checkpoint/redaction";

/** A foreign string for a terminal: without secrets, control characters as visible escapes. */
export function visible(text: string): string {
  return escapeInvisible(redact(text));
}
