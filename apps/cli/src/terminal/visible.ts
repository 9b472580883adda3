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

/** Any output without secrets, whoever forgot to remove them. In JSON they are looked for in each value: the quotes of two values are no pair. */
export function withoutSecrets(text: string): string {
  const value = parseDocument(text);
  return value === null ? redact(text) : jsonOf(value, /^[[{]\n/.test(text) ? 2 : 0);
}

/** The object or list that a text is; null for any other text. */
function parseDocument(text: string): object | null {
  if (!/^[[{][^]*[\]}]\n$/.test(text)) return null;
  try {
    return JSON.parse(text) as object;
  } catch {
    return null;
  }
}

function jsonOf(value: unknown, indent: number): string {
  return `${escapeInvisibleInJson(JSON.stringify(redactJson(value), null, indent))}\n`;
}
