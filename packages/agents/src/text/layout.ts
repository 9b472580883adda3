/** How a file is laid out: its line breaks, and what one step of indentation is. */
export interface Layout {
  readonly lineBreak: string;
  readonly step: string;
  /** Whether all of it stands on one line. */
  readonly isOneLine: boolean;
}

/** Reads the layout off a text; two spaces and a line feed where it shows none. */
export function readLayout(text: string): Layout {
  const lineBreak = /\r\n|\r|\n/.exec(text)?.[0] ?? "\n";
  const step = /[\r\n]([ \t]+)["}\]]/.exec(text)?.[1] ?? "  ";
  return { lineBreak, step, isOneLine: !hasLineBreak(text.trim()) };
}

/** The white space that the line of an offset begins with. */
export function indentAt(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

export function hasLineBreak(text: string): boolean {
  return /[\r\n]/.test(text);
}
