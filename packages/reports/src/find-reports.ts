import { forEachLine, type PlainLine, readingsOf } from "./plain-lines.ts";
import { RUNNERS, type RunnerId } from "./runners.ts";
import { SUMMARY_LINES, type SummaryLine } from "./summary-lines.ts";
import { readTally } from "./tally.ts";
import type { TestReport } from "./types.ts";

const MAX_PLACES = 20;

/** What test runners say at the end of their run, in the order of the output. */
export function findReports(output: string): readonly TestReport[] {
  const reader: Reader = { drafts: [], open: new Map() };
  forEachLine(output, (line) => {
    for (const reading of readingsOf(line)) if (takeLine(reading, reader)) return;
  });
  return withoutAbsorbed(reader.drafts).filter(saysSomething).map(toReport);
}

interface Reader {
  readonly drafts: Draft[];
  /** Reports that have not been closed, by runner and writer: a wrapper may mix the lines of several. */
  readonly open: Map<string, Draft>;
}

/** A report while its lines are being read. */
interface Draft {
  readonly runner: RunnerId;
  readonly writer: string;
  readonly places: Set<string>;
  readonly counts: Partial<Record<Count | "total", number>>;
  outcome: TestReport["outcome"] | null;
  isComplete: boolean;
  /** A failure from here on has nothing to do with this run. */
  isSettled: boolean;
}

type Count = "passed" | "failed" | "skipped" | "filtered";

const COUNTS: readonly (Count | "total")[] = ["passed", "failed", "skipped", "filtered", "total"];

/** Whether a line is a summary at all: most lines are not, and one pattern says so for all rows. */
const ANY_SUMMARY = new RegExp(SUMMARY_LINES.map(({ line }) => line.source.replaceAll(/\(\?<\w+>/g, "(?:")).join("|"));

/** A package manager names the script that it starts: "> web@1.0.0 lint". */
const START_OF_SCRIPT = /^> \S+@\S* \S+$/;

/** What the program that started the runner says when the run failed. */
const FAILED_CALL = new RegExp(
  `^(?:${[
    /npm (?:error|ERR!) (?:code (?:\d+|ELIFECYCLE)|Test failed\..*|Lifecycle script `.*` failed .*)/,
    / ?ELIFECYCLE\u2009? .*/,
    /(?:error )?Command failed with exit code \d+\..*/,
    /error: script "(?!.*\b(?:lint|fmt|format|types?|typecheck|build|docs?)\b).*" exited with code \d+/,
    /g?make(?:\[\d+\])?: \*\*\* \[(?!.*\b(?:lint|fmt|format|types?|typecheck|build|docs?)\b).*\] Error \d+/,
    /error: could not compile .*/,
    /BUILD FAILED\b.*/,
    /\[(?:INFO|ERROR)\] BUILD FAILURE/,
    /error: Recipe `.*` failed .*/,
    /task: Failed to run task .*/,
    /\[\S+\] ERROR task failed/,
  ]
    .map(({ source }) => source)
    .join("|")})$`,
);

function takeLine(reading: PlainLine, reader: Reader): boolean {
  const { text } = reading;
  if (ANY_SUMMARY.test(text) && takeSummary(reading, reader)) return true;
  if (START_OF_SCRIPT.test(text)) {
    for (const draft of reader.drafts) draft.isSettled = true;
    return true;
  }
  if (!FAILED_CALL.test(text)) return false;
  const unsettled = reader.drafts.filter(({ isSettled }) => !isSettled);
  const last = unsettled.at(-1);
  if (last !== undefined && !unsettled.some((draft) => outcomeOf(draft) === "red")) last.outcome = "red";
  return true;
}

function takeSummary({ text, writer, place }: PlainLine, { drafts, open }: Reader): boolean {
  for (const summary of SUMMARY_LINES) {
    const key = `${summary.runner} ${writer}`;
    if (summary.continues && !open.has(key)) continue;
    const match = summary.line.exec(text);
    if (match === null) continue;
    const before = summary.is === "aftermath" ? drafts.findLast(({ runner }) => runner === summary.runner) : undefined;
    const draft = open.get(key) ?? before ?? newDraft(summary.runner, { writer, place });
    if (!drafts.includes(draft)) drafts.push(draft);
    apply(summary, match.groups ?? {}, draft);
    if (summary.is === "end") open.delete(key);
    else if (draft !== before) open.set(key, draft);
    return true;
  }
  return false;
}

function newDraft(runner: RunnerId, { writer, place }: Pick<PlainLine, "writer" | "place">): Draft {
  const places = new Set(place === null ? [] : [place]);
  return { runner, writer, places, counts: {}, outcome: null, isComplete: false, isSettled: false };
}

function apply({ is, one, outcome }: SummaryLine, groups: Readonly<Record<string, string>>, draft: Draft): void {
  const { tally, units, place } = groups;
  const told: Draft["counts"] = tally === undefined ? {} : { ...readTally(tally) };
  for (const count of COUNTS) if (groups[count] !== undefined) told[count] = Number(groups[count]);
  if (one !== undefined) told[one] = 1;
  for (const count of COUNTS) {
    const number = told[count];
    if (number !== undefined) draft.counts[count] = number + (is === "item" ? (draft.counts[count] ?? 0) : 0);
  }
  if (place !== undefined && place !== "" && draft.places.size < MAX_PLACES) draft.places.add(place);
  if (units !== undefined && (readTally(units).failed ?? 0) > 0) draft.outcome = "red";
  if (outcome !== undefined && draft.outcome !== "red") draft.outcome = outcome;
  if (is === "end") draft.isComplete = true;
}

/** Lines that only open a report say nothing about how it ended. */
function saysSomething({ counts, outcome, isComplete }: Draft): boolean {
  return isComplete || outcome !== null || Object.keys(counts).length > 0;
}

/** Some runners print the lines of another format before a summary of their own: one run, one report. */
function withoutAbsorbed(drafts: readonly Draft[]): readonly Draft[] {
  return drafts.filter(
    ({ runner, writer }) =>
      !drafts.some((other) => other.writer === writer && ABSORBED[other.runner]?.includes(runner) === true),
  );
}

const ABSORBED: Readonly<Partial<Record<RunnerId, readonly RunnerId[]>>> = {
  "node-test": ["tap"],
  "node-tap": ["tap"],
  prove: ["tap"],
  gotestsum: ["go"],
  ginkgo: ["go"],
};

function toReport(draft: Draft): TestReport {
  const { runner, places, isComplete } = draft;
  const { passed, failed, skipped, filtered } = numbersOf(draft);
  const languages = RUNNERS.find(({ id }) => id === runner)?.languages ?? [];
  return {
    runner,
    languages,
    passed: passed ?? null,
    failed: failed ?? null,
    skipped: skipped ?? null,
    filtered: filtered ?? null,
    outcome: outcomeOf(draft),
    places: [...places],
    isComplete,
  };
}

/** What a runner counts, with what follows from its total. */
function numbersOf({ counts }: Draft): Draft["counts"] {
  const { total, failed = 0, skipped = 0 } = counts;
  return total === undefined || counts.passed !== undefined
    ? counts
    : { ...counts, passed: Math.max(0, total - failed - skipped) };
}

function outcomeOf(draft: Draft): TestReport["outcome"] {
  const { passed, failed = 0 } = numbersOf(draft);
  if (failed > 0 || draft.outcome === "red") return "red";
  return draft.outcome ?? (passed === undefined || passed > 0 ? "green" : "nothing-run");
}
