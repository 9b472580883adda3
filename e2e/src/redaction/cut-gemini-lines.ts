import { CUT, isLong } from "./cut.ts";

/** Removes what Gemini CLI tells the model about a tool, which it writes as the description of a call that never ran. */
export function cutGeminiLines(lines: readonly unknown[]): readonly unknown[] {
  return lines.map((line) => {
    const text = JSON.stringify(line, (key, value) => (key === "description" && isLong(value) ? CUT : value));
    return text === JSON.stringify(line) ? line : JSON.parse(text);
  });
}
