import { isUnicodeTerminal, type Style } from "./style.ts";
import { visible } from "./visible.ts";
import { wrapText, type Wrapping } from "./layout.ts";

/** The marks that a line can begin with. */
export type Mark = "good" | "warn" | "bad" | "step" | "more";

/** Writes the lines of a report for one terminal. */
export interface Page {
  readonly marks: Readonly<Record<Mark, string>>;
  readonly heading: (text: string) => string;
  /** A text after its mark and its label, if it has one; further lines are indented to the text. */
  readonly line: (mark: Mark, text: string, label?: string) => string;
  readonly paragraph: (text: string) => string;
  readonly diff: (diff: string) => string;
  /** Rows of two columns below a line; if both do not fit, the second is below the first. */
  readonly rows: (rows: readonly (readonly [left: string, right: string])[]) => string;
}

/** The terminal that a page is for. */
export interface PageTerminal {
  readonly style: Style;
  readonly columns: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
}

/** A page as wide as the terminal; the home folder is written as `~`, and foreign strings cannot act on it. */
export function createPage({ style, columns, env, userHome }: PageTerminal): Page {
  const isUnicode = isUnicodeTerminal(env);
  const shown = (text: string) => visible(text).replaceAll(`${userHome}/`, "~/");
  const marks: Readonly<Record<Mark, string>> = {
    good: style.good(isUnicode ? "✓" : "+"),
    warn: style.warn("!"),
    bad: style.bad(isUnicode ? "✗" : "x"),
    step: style.name(isUnicode ? "→" : "->"),
    more: " ",
  };
  const indented = (text: string, indent: number) => wrap(shown(text), { columns, first: " ".repeat(indent) });
  return {
    marks,
    heading: (text) => `${style.bold(shown(text))}\n`,
    line: (mark, text, label = "") => wrap(shown(text), { columns, first: `  ${marks[mark]} ${label}` }),
    rows: (rows) => {
      const width = Math.max(...rows.map(([left]) => left.length));
      const isWide = rows.every(([, right]) => INDENT + width + 2 + right.length <= columns);
      return rows
        .map(([left, right]) =>
          isWide
            ? `${" ".repeat(INDENT)}${shown(left).padEnd(width)}  ${shown(right)}\n`
            : indented(left, INDENT) + indented(right, INDENT + 2),
        )
        .join("");
    },
    paragraph: (text) => wrap(shown(text), { columns }),
    diff: (diff) =>
      diff
        .trimEnd()
        .split("\n")
        .map((line) => `${colour(line)(visible(line.replaceAll("\t", "    ").replace(/\r$/, "")))}\n`)
        .join(""),
  };

  function colour(line: string): (text: string) => string {
    if (/^(?:---|\+\+\+) /.test(line)) return style.bold;
    if (line.startsWith("@@")) return style.name;
    return line.startsWith("+") ? style.good : line.startsWith("-") ? style.bad : (text) => text;
  }
}

/** How far the rows below a line are indented. */
const INDENT = 6;

/** Breaks a text into lines, but not between backticks, because that is there to be copied. */
function wrap(text: string, wrapping: Wrapping): string {
  const whole = text.replaceAll(/`[^`]*`/g, (code) => code.replaceAll(" ", UNBROKEN));
  return wrapText(whole, wrapping).replaceAll(UNBROKEN, " ");
}

/** A space at which no line is broken. */
const UNBROKEN = "\u00A0";
