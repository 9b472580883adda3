import stringWidth from "string-width";

export { counted, formatNumber } from "@agent-checkpoint/page/numbers";

/** A heading, for numbers with their alignment. */
export type Column = string | { readonly heading: string; readonly align?: "left" | "right" };

/** The heading of a column of numbers. */
export function right(heading: string): Column {
  return { heading, align: "right" };
}

/** Rows under headings, as wide as their widest cell, without trailing spaces. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map((column) => (typeof column === "string" ? column : column.heading)), ...rows];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => stringWidth(cells[index] ?? ""))));
  const line = (cells: readonly string[]): string =>
    columns
      .map((column, index) => {
        const cell = cells[index] ?? "";
        const space = " ".repeat((widths[index] ?? 0) - stringWidth(cell));
        return typeof column !== "string" && column.align === "right" ? space + cell : cell + space;
      })
      .join("  ")
      .trimEnd();
  return lines.map((cells) => `${line(cells)}\n`).join("");
}

export interface Wrapping {
  readonly columns: number;
  /** The prefix of the first line. */
  readonly first?: string;
  /** The prefix of the other lines; by default spaces, as wide as the first prefix. */
  readonly rest?: string;
}

/**
 * A text in lines that fit, each ending in a line break. A path or a list that is too long is broken behind a slash or a comma; what stands
 * between backticks is there to be copied, and gets a line of its own.
 */
export function wrapText(
  text: string,
  { columns, first = "", rest = " ".repeat(stringWidth(first)) }: Wrapping,
): string {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  const room = Math.max(MIN_ROOM, columns - stringWidth(rest));
  for (const [word, isPart] of text.split(" ").flatMap((whole) => partsOf(whole, room))) {
    if (isPart && stringWidth(line) + stringWidth(word) <= columns) {
      line += word;
      continue;
    }
    if (!isEmpty && stringWidth(line) + 1 + stringWidth(word) > columns) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].map((one) => `${one.trimEnd()}\n`).join("");
}

/** Narrower columns than this are not worth breaking a word for. */
const MIN_ROOM = 20;

/** A word, or the parts of a path or a list that is wider than the room; all but the first continue the part before them. */
function partsOf(word: string, room: number): readonly (readonly [part: string, isPart: boolean])[] {
  if (stringWidth(word) <= room || word.includes("`")) return [[word, false]];
  const parts = word.match(/[^/,]*[/,]|[^/,]+$/g) ?? [word];
  return parts.map((part, index) => [part, index > 0] as const);
}
