import { ANY_LANGUAGE } from "./any-language.ts";
import { COMPILED } from "./compiled.ts";
import { FUNCTIONAL } from "./functional.ts";
import { JAVASCRIPT } from "./javascript.ts";
import { JVM_AND_DOTNET } from "./jvm-and-dotnet.ts";
import { SCRIPTING } from "./scripting.ts";
import type { SummaryLine } from "./summary-line.ts";

/**
 * Every line that is looked for. The first that matches is taken.
 *
 * Some runners end alike. One that is known by an earlier line comes before one that is not: hspec before RSpec, ExUnit and
 * EUnit before bats, Common Test before Zig.
 */
const SUMMARY_LINES: readonly SummaryLine[] = [
  ...ANY_LANGUAGE,
  ...FUNCTIONAL,
  ...COMPILED,
  ...JAVASCRIPT,
  ...JVM_AND_DOTNET,
  ...SCRIPTING,
];

/** One pattern for all rows, with an empty group behind each: most lines are no summary, and one look says so. */
const ANY_SUMMARY = new RegExp(
  SUMMARY_LINES.map(({ pattern }) => `${pattern.source.replaceAll(/\(\?<\w+>/g, "(?:")}()`).join("|"),
);

/** The first row that matches a line and is accepted, with the groups of its pattern. */
export function findSummary(line: string, accepts: (summary: SummaryLine) => boolean): FoundSummary | null {
  const first = ANY_SUMMARY.exec(line)?.indexOf("", 1) ?? -1;
  if (first === -1) return null;
  for (let row = first - 1; row < SUMMARY_LINES.length; row += 1) {
    const summary = SUMMARY_LINES[row];
    const match = summary !== undefined && accepts(summary) ? summary.pattern.exec(line) : null;
    if (summary !== undefined && match !== null) return { summary, groups: match.groups ?? {} };
  }
  return null;
}

interface FoundSummary {
  readonly summary: SummaryLine;
  readonly groups: Readonly<Record<string, string | undefined>>;
}
