import stringWidth from "string-width";
import type { Environment } from "../environment.ts";
import { visible } from "../terminal/visible.ts";
import { counted, wrapText } from "../terminal/layout.ts";
import type { Finding, Level } from "./check.ts";
import type { DoctorReport } from "./run-doctor.ts";

/** How a report is shown. */
export interface RenderOptions extends Pick<Environment, "style"> {
  /** How wide a line may be. */
  readonly columns: number;
  /** Whether the terminal shows more than ASCII. */
  readonly isUnicode: boolean;
  /** Whose home folder is written as `~`. */
  readonly userHome: string;
}

/** How many columns a text gets at least. */
const MIN_WIDTH = 30;

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
      check.findings.map((finding, index) =>
        findingLines((index === 0 ? check.title : "").padEnd(width), finding, options),
      ),
    );
    return `${style.bold(title)}\n${lines.join("")}`;
  });
  return `${[...sections, verdictLine(verdict, counts, options)].join("\n")}\n`;
}

function findingLines(title: string, { level, what, fix }: Finding, options: RenderOptions): string {
  const indent = " ".repeat(`  x ${title}  `.length);
  const arrow = options.isUnicode ? "→" : "->";
  const columns = Math.max(options.columns, indent.length + MIN_WIDTH);
  const shown = (text: string) => visible(text).replaceAll(`${options.userHome}/`, "~/");
  return (
    wrapText(shown(what), { columns, first: `  ${mark(level, options)} ${title}  `, rest: indent }) +
    (fix === null ? "" : wrapText(shown(fix), { columns, first: `${indent}${options.style.name(arrow)} ` }))
  );
}

function mark(level: Level, { style, isUnicode }: RenderOptions): string {
  const colour = { ok: style.good, warn: style.warn, fail: style.bad }[level];
  return colour(isUnicode ? MARKS[level].unicode : MARKS[level].ascii);
}

function verdictLine(verdict: Level, { warn, fail }: DoctorReport["counts"], { style }: RenderOptions): string {
  const warnings = counted(warn, "warning");
  if (verdict === "fail") return style.bad(`${counted(fail, "fault")}, ${warnings}.`);
  return verdict === "warn" ? style.warn(`No fault, ${warnings}.`) : style.good("Everything is in order.");
}
