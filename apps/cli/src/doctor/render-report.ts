import stringWidth from "string-width";
import type { Surroundings } from "../surroundings.ts";
import { visible } from "../terminal/visible.ts";
import type { Finding, Level } from "./finding.ts";
import type { DoctorReport } from "./run-doctor.ts";

/** How a report is shown. */
export interface RenderOptions extends Pick<Surroundings, "style"> {
  /** How wide a line may be. */
  readonly columns: number;
  /** Whether the terminal shows more than ASCII. */
  readonly isUnicode: boolean;
  /** Whose home folder is written as `~`. */
  readonly userHome: string;
}

const MARKS: Readonly<Record<Level, { readonly unicode: string; readonly ascii: string }>> = {
  ok: { unicode: "✓", ascii: "+" },
  warn: { unicode: "!", ascii: "!" },
  fail: { unicode: "✗", ascii: "x" },
};

/** The report for people: grouped, one line per finding with its fix below it, and the verdict last. */
export function renderReport({ groups, counts, verdict }: DoctorReport, options: RenderOptions): string {
  const { style } = options;
  const width = Math.max(...groups.flatMap(({ checks }) => checks.map(({ title }) => stringWidth(title))));
  const sections = groups.map(({ title, checks }) => {
    const lines = checks.flatMap((check) =>
      check.findings.flatMap((finding, index) =>
        findingLines((index === 0 ? check.title : "").padEnd(width), finding, options),
      ),
    );
    return [style.bold(title), ...lines].join("\n");
  });
  return `${[...sections, verdictLine(verdict, counts, options)].join("\n\n")}\n`;
}

function findingLines(title: string, { level, what, fix }: Finding, options: RenderOptions): readonly string[] {
  const { style, columns } = options;
  const indent = " ".repeat(`  x ${title}  `.length);
  const shown = (text: string) => visible(text).replaceAll(`${options.userHome}/`, "~/");
  const [first = "", ...rest] = wrap(shown(what), columns - indent.length);
  const said = [`  ${mark(level, options)} ${title}  ${first}`, ...rest.map((line) => indent + line)];
  if (fix === null) return said;
  const arrow = options.isUnicode ? "→" : "->";
  const [fixFirst = "", ...fixRest] = wrap(shown(fix), columns - indent.length - arrow.length - 1);
  const below = " ".repeat(arrow.length + 1);
  return [...said, `${indent}${style.name(arrow)} ${fixFirst}`, ...fixRest.map((line) => indent + below + line)];
}

function mark(level: Level, { style, isUnicode }: RenderOptions): string {
  const colour = { ok: style.good, warn: style.warn, fail: style.bad }[level];
  return colour(isUnicode ? MARKS[level].unicode : MARKS[level].ascii);
}

function verdictLine(verdict: Level, { warn, fail }: DoctorReport["counts"], { style }: RenderOptions): string {
  const warnings = `${warn} ${warn === 1 ? "warning" : "warnings"}`;
  if (verdict === "fail") return style.bad(`${fail} ${fail === 1 ? "fault" : "faults"}, ${warnings}.`);
  return verdict === "warn" ? style.warn(`No fault, ${warnings}.`) : style.good("Everything is in order.");
}

const LEAST_WIDTH = 30;

/** A text in lines of a width, broken at spaces; a word that is too long, such as a path, stays whole. */
function wrap(text: string, columns: number): readonly string[] {
  const width = Math.max(columns, LEAST_WIDTH);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && stringWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
