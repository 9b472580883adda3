import { STATUS_ROW } from "./codex-screen.ts";
import type { Row } from "./parse-screen.ts";

/** The place where a user types, and what stands around it. */
export interface Composer {
  /** The line that begins with the prompt sign. */
  readonly top: number;
  readonly prompt: string;
  /** The whole text, lines parted by line ends. */
  readonly text: string;
  /** The text is grey and the only one: the user has typed nothing. */
  readonly isPlaceholder: boolean;
  /** The words of the status line, without what stands at its right; null for a Codex that is not ready. */
  readonly status: string | null;
  /** What stands at the right of the status line and below it. */
  readonly hints: readonly string[];
}

/**
 * Finds the composer around the cursor; null where the cursor stands elsewhere.
 * Its prompt sign is bold and neither grey nor reversed, unlike those of earlier prompts, of choices and of questions.
 */
export function readComposer(
  rows: readonly Row[],
  cursor: { readonly x: number; readonly y: number },
): Composer | null {
  const top = rows.findLastIndex((row, y) => y <= cursor.y && isPromptRow(row));
  const isInside = rows
    .slice(top + 1, cursor.y + 1)
    .every(({ text }) => /^(?: {2}|$)/.test(text) && !STATUS_ROW.test(text));
  if (top < 0 || cursor.x < 2 || !isInside) return null;
  const statusRow = rows.findLastIndex(({ text }, y) => y > cursor.y && STATUS_ROW.test(text));
  const content = rows.slice(top, statusRow < 0 ? cursor.y + 1 : statusRow).map(({ cells }) => cells.slice(2));
  const text = content
    .map((cells) =>
      cells
        .map(({ char }) => char)
        .join("")
        .trimEnd(),
    )
    .join("\n")
    .trimEnd();
  const [status = null, ...atRight] = statusRow < 0 ? [] : wordGroups(rows[statusRow]);
  return {
    top,
    prompt: rows[top]?.cells[0]?.char ?? "",
    text,
    isPlaceholder: text !== "" && content.flat().every(({ char, isDim }) => isDim || char === " "),
    status,
    hints: [...atRight, ...(statusRow < 0 ? [] : rows.slice(statusRow + 1).flatMap(wordGroups))],
  };
}

function isPromptRow({ cells: [sign, blank] }: Row): boolean {
  if (!sign || (blank && blank.char !== " ")) return false;
  return (sign.char === "›" || sign.char === "!") && sign.isBold && !sign.isDim && !sign.isReversed;
}

/** Groups of words with wide gaps between them. */
function wordGroups(row: Row | undefined): readonly string[] {
  return (
    row?.text
      .trim()
      .split(/\s{2,}/)
      .filter(Boolean) ?? []
  );
}
