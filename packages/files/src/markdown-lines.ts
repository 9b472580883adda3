/** A line of a Markdown text. */
export interface MarkdownLine {
  /** Without the white space at its end. */
  readonly text: string;
  readonly start: number;
  /** The end of the line, and the start of the next one, after the line break. */
  readonly end: number;
  readonly next: number;
  /** Whether it is part of a code block, where a heading is not a heading. */
  readonly isCode: boolean;
}

/** The lines of a Markdown text, and whether a code block is still open at its end. */
export interface MarkdownLines {
  readonly lines: readonly MarkdownLine[];
  readonly isOpen: boolean;
}

/** A byte order mark; as it is, and as it looks if bytes are read as characters. */
const BYTE_ORDER_MARK = /^(?:\uFEFF|\u00EF\u00BB\u00BF)/;

export function markdownLines(text: string): MarkdownLines {
  const lines: MarkdownLine[] = [];
  let fence: string | null = null;
  for (let start = BYTE_ORDER_MARK.exec(text)?.[0].length ?? 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const next = newline === -1 ? text.length : newline + 1;
    const line = text.slice(start, next).replace(/\r?\n$/, "");
    const [, marks = "", info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line.trimEnd()) ?? [];
    const isFence: boolean = fence === null ? opens(marks, info) : closes(fence, marks, info);
    lines.push({ text: line.trimEnd(), start, end: start + line.length, next, isCode: fence !== null || isFence });
    if (isFence) fence = fence === null ? marks : null;
    start = next;
  }
  return { lines, isOpen: fence !== null };
}

function opens(marks: string, info: string): boolean {
  return marks !== "" && !(marks.startsWith("`") && info.includes("`"));
}

function closes(fence: string, marks: string, info: string): boolean {
  return marks.startsWith(fence) && info.trim() === "";
}
