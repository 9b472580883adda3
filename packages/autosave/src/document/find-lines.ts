/** A line of a document, by its place in the text. */
export interface DocumentLine {
  /** Where it begins, and where the next one does. */
  readonly start: number;
  readonly end: number;
  /** Its words, without the line break and the white space before it. */
  readonly text: string;
  /** Whether it stands in a block of code, where nothing means anything. */
  readonly isCode: boolean;
}

/** The lines of a Markdown document, and whether a block of code is still open at its end. */
export function findLines(text: string): { readonly lines: readonly DocumentLine[]; readonly isOpen: boolean } {
  const lines: DocumentLine[] = [];
  let fence: string | null = null;
  for (let start = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0; start < text.length;) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next + 1;
    const line = text.slice(start, end).trimEnd();
    const [, marks = "", info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    const isFence = fence === null ? opens(marks, info) : closes(fence, marks, info);
    lines.push({ start, end, text: line, isCode: fence !== null || isFence });
    if (isFence) fence = fence === null ? marks : null;
    start = end;
  }
  return { lines, isOpen: fence !== null };
}

/** UTF-8's mark as it looks when bytes are read as characters. */
export const BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";

function opens(marks: string, info: string): boolean {
  return marks !== "" && !(marks.startsWith("`") && info.includes("`"));
}

function closes(fence: string, marks: string, info: string): boolean {
  return marks.startsWith(fence) && info.trim() === "";
}
