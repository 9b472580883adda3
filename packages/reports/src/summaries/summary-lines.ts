import { ANY_LANGUAGE } from "./any-language.ts";
import { COMPILED } from "./compiled.ts";
import { FUNCTIONAL } from "./functional.ts";
import { JAVASCRIPT } from "./javascript.ts";
import { JVM_AND_DOTNET } from "./jvm-and-dotnet.ts";
import { SCRIPTING } from "./scripting.ts";
import type { SummaryLine } from "./summary-line.ts";

/** A character, or "other" for those beyond ASCII. */
export type FirstCharacter = string;

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const ANY: readonly FirstCharacter[] = [...PRINTABLE, "\t", "other"];
const DIGITS = PRINTABLE.filter((character) => character >= "0" && character <= "9");

/** The key of a line among first characters. */
export function firstCharacterOf(line: string): FirstCharacter {
  return line.charCodeAt(0) < 128 ? line.charAt(0) : "other";
}

/**
 * The characters that a line may begin with if it matches a pattern: at least those, and a few more where a class is met.
 *
 * Supports what summary lines use of patterns: literals, classes, groups with alternatives, quantifiers.
 */
export function firstCharacters(source: string): readonly FirstCharacter[] {
  const rest = source.replace(/^\^/, "");
  if (rest === "") return ANY;
  if (!rest.startsWith("(")) {
    const atom = /^(?:\[(?:\\.|[^\]\\])*\]|\\.|[^])/.exec(rest)?.[0] ?? "";
    return [...charactersOf(atom), ...afterOptional(rest.slice(atom.length))];
  }
  const { alternatives, end } = readGroup(rest);
  const after = rest.slice(end).replace(/^[?*+]/, "");
  return [...alternatives.flatMap((each) => firstCharacters(each || after)), ...afterOptional(rest.slice(end))];
}

/** What may come first if the atom before is left out. */
function afterOptional(rest: string): readonly FirstCharacter[] {
  const quantifier = /^(?:[?*]|\{0,\d*\})/.exec(rest)?.[0];
  return quantifier === undefined ? [] : firstCharacters(rest.slice(quantifier.length));
}

function charactersOf(atom: string): readonly FirstCharacter[] {
  if (atom === "\\d") return DIGITS;
  if (atom === "\\t") return ["\t"];
  if (atom === "." || atom.startsWith("[") || /^\\\w$/.test(atom)) return ANY;
  return [firstCharacterOf(atom.replace("\\", ""))];
}

/** The alternatives of the group that a text begins with, and where it ends. */
function readGroup(text: string): { readonly alternatives: readonly string[]; readonly end: number } {
  const alternatives: string[] = [];
  let depth = 0;
  let start = /^\((?:\?(?::|<\w+>))?/.exec(text)?.[0].length ?? 1;
  for (const { 0: token, index } of text.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[^]/g)) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (depth > 1 || (token !== "|" && token !== ")") || (token === ")" && depth > 0)) continue;
    alternatives.push(text.slice(start, index));
    start = index + 1;
    if (depth === 0) break;
  }
  return { alternatives, end: start };
}

/**
 * Every line that is looked for. The first that matches is taken.
 *
 * Some runners end alike. One that an earlier line identifies comes before one that none does: hspec before RSpec, ExUnit and
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

/** The rows that the first line of a report matches. */
export const OPENING_LINES: readonly SummaryLine[] = SUMMARY_LINES.filter(({ after }) => after === null);

/** One of these is in every line that opens a report. */
const WORDS_OF_REPORTS =
  /test|pass|fail|skip|error|succe(?!ssfully)|spec|scenario|example|threshold|total|deselected|warning|rerun|Executed|ABORTED|Finished|statements|collected|tasks|Running|Interrupt|Bail out|1\.\.0|\.py [.FEsxXR]|\bok\b|: ok|\bran\b|[─✘]/i;

/** Whether a line may open a report; a line that does not can still follow one. */
export function mayOpenReport(line: string): boolean {
  return WORDS_OF_REPORTS.test(line);
}

/** Rows by the first character of the lines that they match: most lines begin as few summaries do. Made when first needed. */
let byFirstCharacter: ReadonlyMap<FirstCharacter, Bucket> | undefined;

/** The first row that is accepted and matches a line, with the groups of its pattern. */
export function findSummary(line: string, accepts: (summary: SummaryLine) => boolean): FoundSummary | null {
  byFirstCharacter ??= toBuckets(SUMMARY_LINES);
  const bucket = byFirstCharacter.get(firstCharacterOf(line));
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
