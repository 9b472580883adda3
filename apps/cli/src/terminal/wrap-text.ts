import stringWidth from "string-width";

/** How a text is broken into lines. */
export interface Wrapping {
  readonly columns: number;
  /** What stands before the first line. */
  readonly first?: string;
  /** What stands before the others; as wide a space as the first has unless given. */
  readonly rest?: string;
}

/** A text in lines that fit, each ended by a line break; a word that is too long for a line stands alone on one. */
export function wrapText(
  text: string,
  { columns, first = "", rest = " ".repeat(stringWidth(first)) }: Wrapping,
): string {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(" ")) {
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
