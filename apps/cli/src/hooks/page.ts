import type { Environment } from "../environment.ts";
import { isUnicodeTerminal } from "../terminal/style.ts";
import { visible } from "../terminal/visible.ts";
import { wrapText, type Wrapping } from "../terminal/layout.ts";

/** The marks that a line can begin with. */
export type Mark = "good" | "warn" | "bad" | "step" | "more";

/** Writes the lines of a report for one terminal. */
export interface Page {
  readonly heading: (text: string) => string;
  readonly line: (mark: Mark, text: string) => string;
  readonly paragraph: (text: string) => string;
  readonly diff: (diff: string) => string;
}

/** A page as wide as the terminal; the home folder is written as `~`, and foreign strings cannot act on it. */
export function createPage({ style, columns, env, userHome }: Environment): Page {
  const isUnicode = isUnicodeTerminal(env);
  const shown = (text: string) => visible(text).replaceAll(`${userHome}/`, "~/");
  const marks: Readonly<Record<Mark, string>> = {
    good: style.good(isUnicode ? "✓" : "+"),
    warn: style.warn("!"),
    bad: style.bad(isUnicode ? "✗" : "x"),
    step: style.name(isUnicode ? "→" : ">"),
    more: " ",
  };
  return {
    heading: (text) => `${style.bold(shown(text))}\n`,
    line: (mark, text) => wrap(shown(text), { columns, first: `  ${marks[mark]} ` }),
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

/** Breaks a text into lines, but nothing that stands between backticks: it is there to be copied. */
function wrap(text: string, wrapping: Wrapping): string {
  const whole = text.replaceAll(/`[^`]*`/g, (code) => code.replaceAll(" ", UNBROKEN));
  return wrapText(whole, wrapping).replaceAll(UNBROKEN, " ");
}

/** A space at which no line is broken. */
const UNBROKEN = "\u00A0";
