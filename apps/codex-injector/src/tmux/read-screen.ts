import { STATUS_ROW } from "./codex-screen.ts";

/** One character of a terminal screen, with the attributes that carry a meaning. */
export interface Cell {
  readonly char: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isReversed: boolean;
}

/** A line of the screen; what is not drawn at its end is missing. */
export interface Row {
  readonly text: string;
  readonly cells: readonly Cell[];
}

/** Reads what `capture-pane -p -e` prints; a style holds over line ends until it is changed. */
export function parseScreen(capture: string): readonly Row[] {
  let style = PLAIN;
  const rows: Cell[][] = [[]];
  for (const [token, parameters] of capture.matchAll(TOKENS))
    if (parameters !== undefined) style = applyStyle(style, parameters);
    else if (token === "\n") rows.push([]);
    else if (!INVISIBLE.test(token)) rows.at(-1)?.push({ char: token, ...style });
  return rows.map((cells) => ({ text: cells.map(({ char }) => char).join(""), cells }));
}

type Style = Omit<Cell, "char">;

const PLAIN: Style = { isBold: false, isDim: false, isReversed: false };

const ESCAPE = "\u001B";
const BELL = "\u0007";

/** A style, another sequence, a hyperlink, or one character. */
const TOKENS = new RegExp(
  [
    String.raw`${ESCAPE}\[([\d;:]*)m`,
    String.raw`${ESCAPE}\[[^@-~]*[@-~]`,
    String.raw`${ESCAPE}\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\)`,
    "[^]",
  ].join("|"),
  "gu",
);

const INVISIBLE = /^\p{Cc}/u;

function applyStyle(before: Style, parameters: string): Style {
  const style = { ...before };
  const codes = parameters.split(";");
  for (let i = 0; i < codes.length; i++) {
    const code = Number(codes[i]);
    // A colour is followed by its own numbers: `38;5;n` or `38;2;r;g;b`.
    if (code === 38 || code === 48 || code === 58) i += codes[i + 1] === "5" ? 2 : 4;
    else Object.assign(style, STYLES.get(code));
  }
  return style;
}

const STYLES: ReadonlyMap<number, Partial<Style>> = new Map<number, Partial<Style>>([
  [0, PLAIN],
  [1, { isBold: true }],
  [2, { isDim: true }],
  [7, { isReversed: true }],
  [22, { isBold: false, isDim: false }],
  [27, { isReversed: false }],
]);

/** The place where a user types, and what is around it. */
export interface Composer {
  /** The line that begins with the prompt sign. */
  readonly top: number;
  readonly prompt: string;
  /** The whole text, lines parted by line ends. */
  readonly text: string;
  /** The text is grey and the only one: the user has typed nothing. */
  readonly isPlaceholder: boolean;
  /** The words of the status line, without its right part; null if Codex is not ready. */
  readonly status: string | null;
  /** The text to the right of the status line and below it. */
  readonly hints: readonly string[];
}

/**
 * Finds the composer around the cursor; null if the cursor is elsewhere.
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
