import { escapeInvisibleInJson } from "@agent-checkpoint/files";
import { redactJson } from "@agent-checkpoint/redaction";

/** A value as `--json` prints it, without secrets; control characters become JSON escapes. */
export function toJson(value: unknown): string {
  return `${escapeInvisibleInJson(JSON.stringify(redactJson(value), null, 2))}\n`;
}
