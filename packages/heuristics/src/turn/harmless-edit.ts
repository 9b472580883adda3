import { type Language, languagesOfFile } from "@agent-checkpoint/reports";
import type { ToolCallRecord } from "@agent-checkpoint/transcript";

/** What an edit took out and put in. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
}

/** What the edits of a call replace, as far as its arguments tell. */
export function replacementsOf({ inputData }: ToolCallRecord): readonly Replacement[] {
  const list: readonly unknown[] = Array.isArray(inputData["edits"]) ? inputData["edits"] : [inputData];
  return list.flatMap((edit) => {
    if (typeof edit !== "object" || edit === null) return [];
    const { old_string: before, new_string: after } = edit as Record<string, unknown>;
    return typeof before === "string" && typeof after === "string" ? [{ before, after }] : [];
  });
}

const HASH: readonly Language[] = ["python", "ruby", "shell", "perl", "r", "elixir", "julia", "nim", "powershell"];
const DASHES: readonly Language[] = ["lua", "haskell", "sql"];
/** Languages in which white space at the beginning of a line means something. */
const INDENTED: readonly Language[] = ["python", "haskell", "nim"];

/** Whether an edit changes nothing but whole lines of comments, or white space that means nothing in the language. */
export function isHarmless(record: ToolCallRecord, file: string): boolean {
  const [language] = languagesOfFile(file);
  const replacements = replacementsOf(record);
  if (language === undefined || replacements.length === 0) return false;
  return replacements.every(({ before, after }) => codeOf(before, language) === codeOf(after, language));
}

function codeOf(text: string, language: Language): string {
  const comment = HASH.includes(language)
    ? /^\s*#(?!!)/
    : DASHES.includes(language)
      ? /^\s*--/
      : /^\s*(?:\/\/|\/\*|\*(?:\/|\s|$))/;
  const lines = text.split("\n").filter((line) => !comment.test(line) && line.trim() !== "");
  return INDENTED.includes(language)
    ? lines.map((line) => line.trimEnd()).join("\n")
    : lines
        .join("")
        .replaceAll(/\s+/g, "")
        .replaceAll(/,(?=[)\]}])/g, "");
}
