import { ANY_LANGUAGE } from "./any-language.ts";
import { COMPILED } from "./compiled.ts";
import { type FirstCharacter, firstCharacterOf, firstCharacters } from "./first-characters.ts";
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

/** Rows by the first character of the lines that they match: most lines begin as few summaries do. */
const BY_FIRST_CHARACTER: ReadonlyMap<FirstCharacter, Bucket> = toBuckets(SUMMARY_LINES);

/** The first row that is accepted and matches a line, with the groups of its pattern. */
export function findSummary(line: string, accepts: (summary: SummaryLine) => boolean): FoundSummary | null {
  const bucket = BY_FIRST_CHARACTER.get(firstCharacterOf(line));
  if (bucket === undefined) return null;
  bucket.any ??= anyOf(bucket.summaries);
  if (!bucket.any.test(line)) return null;
  for (const summary of bucket.summaries) {
    const match = accepts(summary) ? summary.pattern.exec(line) : null;
    if (match !== null) return { summary, groups: match.groups ?? {} };
  }
  return null;
}

interface FoundSummary {
  readonly summary: SummaryLine;
  readonly groups: Readonly<Record<string, string | undefined>>;
}

interface Bucket {
  readonly summaries: SummaryLine[];
  /** One pattern for all rows, made when it is first needed. */
  any: RegExp | null;
}

function toBuckets(summaries: readonly SummaryLine[]): ReadonlyMap<FirstCharacter, Bucket> {
  const buckets = new Map<FirstCharacter, Bucket>();
  for (const summary of summaries)
    for (const character of new Set(firstCharacters(summary.pattern.source))) {
      const bucket = buckets.get(character) ?? { summaries: [], any: null };
      bucket.summaries.push(summary);
      buckets.set(character, bucket);
    }
  return buckets;
}

function anyOf(summaries: readonly SummaryLine[]): RegExp {
  return new RegExp(summaries.map(({ pattern }) => pattern.source.replaceAll(/\(\?<\w+>/g, "(?:")).join("|"));
}
