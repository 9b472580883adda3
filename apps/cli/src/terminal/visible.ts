import { escapeInvisible, escapeInvisibleInJson } from "@agent-checkpoint/files";
import { redact, redactJson } from "@agent-checkpoint/redaction";

/** A foreign string for a terminal: without secrets, control characters as visible escapes. */
export function visible(text: string): string {
  return escapeInvisible(redact(text));
}

/** A value as `--json` prints it, without secrets; control characters become JSON escapes. */
export function toJson(value: unknown): string {
  return `${escapeInvisibleInJson(JSON.stringify(redactJson(value), null, 2))}\n`;
}
