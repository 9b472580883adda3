import { forEachLine, type PlainLine, readingsOf } from "./plain-lines.ts";
import { RUNNERS, type RunnerId } from "./runners.ts";
import type { Count, Outcome, SummaryLine } from "./summaries/summary-line.ts";
import { findSummary } from "./summaries/summary-lines.ts";
import { readTally } from "./tally.ts";
import type { TestReport } from "./types.ts";

const MAX_PLACES = 20;

/** What test runners say at the end of their run, in the order of the output. */
export function findReports(output: string): readonly TestReport[] {
  const reader: Reader = { drafts: [], open: new Map() };
  forEachLine(output, (line) => {
    for (const reading of readingsOf(line)) if (takeSummary(reading, reader) || takeFailedCall(reading, reader)) return;
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
  readonly counts: Counts;
  outcome: Outcome | null;
  isComplete: boolean;
  /** A failure from here on has nothing to do with this run. */
  isSettled: boolean;
}

type Counts = Partial<Record<Count | "total", number>>;

const COUNTS: readonly (Count | "total")[] = ["passed", "failed", "skipped", "filtered", "total"];

function takeSummary({ text, writer, place }: PlainLine, { drafts, open }: Reader): boolean {
  const found = findSummary(text, ({ runner, after }) => {
    if (after === "open-report") return open.has(`${runner} ${writer}`);
    return after === null || drafts.some((draft) => draft.runner === runner);
  });
  if (found === null) return false;
  const { runner, isEnd, after } = found.summary;
  const key = `${runner} ${writer}`;
  const before = after === "any-report" ? drafts.findLast((draft) => draft.runner === runner) : open.get(key);
  const draft: Draft = before ?? {
    runner,
    writer,
    places: new Set(place === null ? [] : [place]),
    counts: {},
    outcome: null,
    isComplete: false,
    isSettled: false,
  };
  if (before === undefined) drafts.push(draft);
  apply(found.summary, found.groups, draft);
  if (isEnd) open.delete(key);
  else if (before === undefined) open.set(key, draft);
  return true;
}

function apply({ outcome, one, isShare, isEnd }: SummaryLine, groups: Groups, draft: Draft): void {
  const { tally, units, place } = groups;
  const told: Counts = tally === undefined ? {} : { ...readTally(tally) };
  for (const count of COUNTS) if (groups[count] !== undefined) told[count] = Number(groups[count]);
  if (one !== null) told[one] = 1;
  for (const count of COUNTS) {
    const number = told[count];
    if (number !== undefined) draft.counts[count] = number + (isShare ? (draft.counts[count] ?? 0) : 0);
  }
  if (place && draft.places.size < MAX_PLACES) draft.places.add(place);
  const isRed = outcome === "red" || (units !== undefined && readTally(units).failed > 0);
  if (draft.outcome !== "red") draft.outcome = isRed ? "red" : (outcome ?? draft.outcome);
  if (isEnd) draft.isComplete = true;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** A package manager or task runner names what it starts: "> web@1.0.0 lint", "$ eslint .". */
const START_OF_SCRIPT = /^(?:> \S+@\S* \S+|\$ \S.*)$/;

/** What the program that started the runner says when the run failed. */
const FAILED_CALL = new RegExp(
  `^(?:${[
    /npm (?:error|ERR!) (?:code (?:\d+|ELIFECYCLE)|Test failed\..*|Lifecycle script `.*` failed .*)/,
    /(?:\s?ELIFECYCLE|\[ELIFECYCLE\])\s.*/,
    /(?:error )?Command failed with exit code \d+\..*/,
    /error: script "(?!.*\b(?:lint|fmt|format|types?|typecheck|build|docs?)\b).*" exited with code \d+/,
    // A target that says that it is something else failed by itself.
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

/** A runner that reported success, in a call that failed all the same: a missed threshold, a crash at the end. */
function takeFailedCall({ text }: PlainLine, { drafts }: Reader): boolean {
  if (START_OF_SCRIPT.test(text)) for (const draft of drafts) draft.isSettled = true;
  if (!FAILED_CALL.test(text)) return false;
  const unsettled = drafts.filter(({ isSettled }) => !isSettled);
  const last = unsettled.at(-1);
  if (last !== undefined && !unsettled.some((draft) => outcomeOf(draft) === "red")) last.outcome = "red";
  return true;
}

/** Runners that print the lines of another format before a summary of their own: one run, one report. */
const ABSORBED: Readonly<Partial<Record<RunnerId, readonly RunnerId[]>>> = {
  "node-test": ["tap"],
  "node-tap": ["tap"],
  prove: ["tap"],
  gotestsum: ["go"],
  ginkgo: ["go"],
};

function withoutAbsorbed(drafts: readonly Draft[]): readonly Draft[] {
  const absorbed = new Set(
    drafts.flatMap(({ runner, writer }) => (ABSORBED[runner] ?? []).map((other) => `${other} ${writer}`)),
  );
  return drafts.filter(({ runner, writer }) => !absorbed.has(`${runner} ${writer}`));
}

/** Lines that only open or close a report say nothing about how it ended. */
function saysSomething({ counts, outcome }: Draft): boolean {
  return outcome !== null || Object.keys(counts).length > 0;
}

function toReport(draft: Draft): TestReport {
  const { runner, places, isComplete } = draft;
  const { passed = null, failed = null, skipped = null, filtered = null } = numbersOf(draft);
  const languages = RUNNERS.find(({ id }) => id === runner)?.languages ?? [];
  const outcome = outcomeOf(draft);
  return { runner, languages, passed, failed, skipped, filtered, outcome, places: [...places], isComplete };
}

function outcomeOf(draft: Draft): Outcome {
  const { passed = 0, failed = 0 } = numbersOf(draft);
  if (failed > 0 || draft.outcome === "red") return "red";
  return draft.outcome ?? (passed > 0 ? "green" : "nothing-run");
}

/** What a runner counts, with what follows from its total. */
function numbersOf({ counts, outcome }: Draft): Counts {
  const { total, passed, failed, skipped = 0 } = counts;
  if (total === undefined) return Object.keys(counts).length > 0 ? { passed: 0, ...counts } : counts;
  if (passed !== undefined) return { ...counts, failed: failed ?? Math.max(0, total - passed - skipped) };
  const isCounted = failed !== undefined || outcome !== "red";
  return isCounted ? { ...counts, passed: Math.max(0, total - (failed ?? 0) - skipped) } : counts;
}
