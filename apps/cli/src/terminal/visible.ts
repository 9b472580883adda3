import { escapeInvisible, escapeInvisibleInJson } from "@agent-checkpoint/files";
import { redact, redactJson } from "@agent-checkpoint/redaction";

/** A foreign string for a terminal: without secrets, control characters as visible escapes. */
export function visible(text: string): string {
  return escapeInvisible(redact(text));
}

/** A value as `--json` prints it, without secrets; control characters become JSON escapes. */
export function toJson(value: unknown): string {
  return jsonOf(value, 2);
}

/** The same on one line, for output that is a line for each value. */
export function toJsonLine(value: unknown): string {
  return jsonOf(value, 0);
}

function jsonOf(value: unknown, indent: number): string {
  return `${escapeInvisibleInJson(JSON.stringify(redactJson(value), null, indent))}\n`;
}
