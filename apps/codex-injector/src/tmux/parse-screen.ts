/** One character of a terminal screen, as far as its looks say what it means. */
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
