/** A line of a Markdown text. */
export interface MarkdownLine {
  readonly text: string;
  /** Whether it stands between fences, where a heading is no heading. */
  readonly isCode: boolean;
}

/** The lines of a Markdown text, without their ends. */
export function markdownLines(text: string): MarkdownLine[] {
  let fence: string | null = null;
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.map((line) => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === null) {
      fence = mark ?? null;
      return { text: line, isCode: mark !== undefined };
    }
    const isEnd = mark !== undefined && mark.startsWith(fence) && line.trim() === mark;
    if (isEnd) fence = null;
    return { text: line, isCode: true };
  });
}

/** The title of a heading and how deep it lies; null for any other line. */
export function headingOf({ text, isCode }: MarkdownLine): { readonly depth: number; readonly title: string } | null {
  const [, marks = "", title = ""] = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(text) ?? [];
  return isCode || marks === "" ? null : { depth: marks.length, title };
}

/** The anchor that a heading gets, as GitHub writes it. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}
