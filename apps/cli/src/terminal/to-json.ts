import { redactJson } from "@agent-checkpoint/redaction";

/** A value as `--json` prints it, without secrets; whatever would act on a terminal is an escape of JSON. */
export function toJson(value: unknown): string {
  return `${escapeActing(JSON.stringify(redactJson(value), null, 2))}\n`;
}

/** A text of JSON, or of YAML in double quotes, with its invisible characters as escapes that mean the same. */
export function escapeActing(text: string): string {
  return text.replaceAll(ACTING, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/** Control and format characters; JSON's own line breaks stay. */
const ACTING = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu;
