import { type RunnerId, RUNNERS } from "./runners.ts";
import type { Count, Outcome, SummaryLine } from "./summaries/summary-line.ts";
import { findSummary, mayOpenReport } from "./summaries/summary-lines.ts";
import { readTally } from "./tally.ts";
import type { TestReport } from "./types.ts";

const MAX_PLACES = 20;

/** More reports of a runner than this are added up in its last one. */
const MAX_REPORTS = 100;

/** The reports of test runners, in the order of the output. */
export function findReports(output: string): readonly TestReport[] {
  const reader: Reader = { drafts: [], last: new Map(), open: new Map() };
  forEachLine(output, (line) => {
    // Most output is from other programs, and searching every line for every runner would be expensive.
    if (reader.drafts.length > 0 || mayOpenReport(line))
      someReading(line, (reading) => takeSummary(reading, reader) || takeFailedCall(reading, reader));
  });
  return withoutAbsorbed(reader.drafts).filter(saysSomething).map(toReport);
}

interface Reader {
  readonly drafts: Draft[];
  /** The last report of each runner. */
  readonly last: Map<RunnerId, Draft>;
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
  /** Whether a failure from here on is unrelated to this run. */
  isSettled: boolean;
}

type Counts = Partial<Record<Count | "total", number>>;

const COUNTS: readonly (Count | "total")[] = ["passed", "failed", "skipped", "filtered", "total"];

function takeSummary({ text, writer, place }: PlainLine, { drafts, last, open }: Reader): boolean {
  const found = findSummary(text, ({ runner, after }) => {
    if (after === "open-report") return open.has(`${runner} ${writer}`);
    return after === null || last.has(runner);
  });
  if (found === null) return false;
  const { runner, isEnd, after } = found.summary;
  const key = `${runner} ${writer}`;
  const opened = open.get(key);
  const closed = after === "any-report" || drafts.length >= MAX_REPORTS ? last.get(runner) : undefined;
  const draft = opened ?? closed ?? newDraft(runner, writer);
  if (draft !== last.get(runner) && draft !== opened) drafts.push(draft);
  last.set(runner, draft);
  if (place !== null) addPlace(draft, place);
  apply(found.summary, found.groups, draft);
  if (isEnd) open.delete(key);
  else if (after !== "any-report") open.set(key, draft);
  return true;
}

function newDraft(runner: RunnerId, writer: string): Draft {
  return { runner, writer, places: new Set(), counts: {}, outcome: null, isComplete: false, isSettled: false };
}

function apply({ outcome, one, isShare, isEnd }: SummaryLine, groups: Groups, draft: Draft): void {
  const { tally, units, place } = groups;
  const told: Counts = tally === undefined ? {} : { ...readTally(tally) };
  for (const count of COUNTS) if (groups[count] !== undefined) told[count] = Number(groups[count]);
  if (one !== null) told[one] = 1;
  const isAdded = isShare || draft.isComplete;
  for (const count of COUNTS) {
    const number = told[count];
    if (number !== undefined) draft.counts[count] = number + (isAdded ? (draft.counts[count] ?? 0) : 0);
  }
  if (place) addPlace(draft, place);
  const isRed = outcome === "red" || (units !== undefined && readTally(units).failed > 0);
  if (draft.outcome !== "red") draft.outcome = isRed ? "red" : (outcome ?? draft.outcome);
  if (isEnd) draft.isComplete = true;
}

function addPlace({ places }: Draft, place: string): void {
  if (places.size < MAX_PLACES) places.add(place);
}

type Groups = Readonly<Record<string, string | undefined>>;

/** A package manager or task runner names what it starts: "> web@1.0.0 lint", "$ eslint .". */
const START_OF_SCRIPT = /^(?:> \S+@\S* \S+|\$ \S.*)$/;

/** The message of the program that started the runner, if the run failed. */
const FAILED_CALL = new RegExp(
  `^(?:${[
    /npm (?:error|ERR!) (?:code (?:\d+|ELIFECYCLE)|Test failed\..*|Lifecycle script `.*` failed .*)/,
    /(?:\s?ELIFECYCLE|\[ELIFECYCLE\])\s.*/,
    /(?:error )?Command failed with exit code \d+\..*/,
    /error: script ".*" exited with code \d+/,
    /g?make(?:\[\d+\])?: \*\*\* \[.*\] Error \d+/,
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

/** A target or script that is named for something else failed by itself. */
const OTHER_WORK = /\b(?:lint|fmt|format|types?|typecheck|build|docs?)\b/;

/** A runner that reported success in a call that still failed: a missed threshold, a crash at the end. */
function takeFailedCall({ text }: PlainLine, { drafts }: Reader): boolean {
  if (drafts.length === 0) return false;
  if (START_OF_SCRIPT.test(text)) for (const draft of drafts) draft.isSettled = true;
  if (!FAILED_CALL.test(text) || OTHER_WORK.test(text)) return false;
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

/** Lines that only open or close a report do not show how it ended. */
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

/** The numbers of a runner, with those that follow from its total. */
function numbersOf({ counts, outcome }: Draft): Counts {
  const { total, passed, failed, skipped = 0 } = counts;
  if (total === undefined) return Object.keys(counts).length > 0 ? { passed: 0, ...counts } : counts;
  if (passed !== undefined) return { ...counts, failed: failed ?? Math.max(0, total - passed - skipped) };
  const isCounted = failed !== undefined || outcome !== "red";
  return isCounted ? { ...counts, passed: Math.max(0, total - (failed ?? 0) - skipped) } : counts;
}

/** A line without the decoration of a terminal or wrapper. */
export interface PlainLine {
  readonly text: string;
  /** Name of the task, service or package that wrote the line; "" if the wrapper names none. */
  readonly writer: string;
  /** The package or folder that the wrapper ran the line's program in. */
  readonly place: string | null;
}

/** No summary is shorter or longer. */
const MIN_LENGTH = 2;
const MAX_LENGTH = 1000;

/** A CI log around a task runner. */
const MAX_PREFIXES = 2;

// oxlint-disable-next-line no-control-regex -- the escape sequences of terminals begin with one
const ANSI = /\u001b(?:\[[\d;:?]*[A-Za-z]|\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\)|\([A-Z0-9])/g;

/** The prefixes of wrappers. */
const PREFIXES = [
  // GitHub's logs, and `gh run view --log`.
  /(?:[\w .,()/-]{1,60}\t[^\t]{1,80}\t)?\uFEFF?\d{4}-\d\d-\d\dT[\d:.]{8,20}Z /,
  // mise, concurrently, yarn workspaces.
  /\[(?<bracket>[\w@/.:#-]{1,80})\](?::| \|)? /,
  // docker build.
  /#\d+ \d+\.\d+ /,
  // cat -n, and the line numbers of agents' read tools.
  / {0,6}\d{1,6}(?:→|\t)/,
  // docker compose, foreman, earthly.
  /(?:\d\d:\d\d:\d\d )?(?<service>[\w@+/.-]{1,80}) {0,40}\| /,
  // turbo ("web:test: "), pnpm -r ("packages/web test: ").
  /(?<place>[\w@/.-]{1,80})[: ][\w:.-]{1,40}: /,
  // lerna.
  /(?<scope>@[\w/.-]{1,80}): /,
];

const PREFIX = new RegExp(`^(?:${PREFIXES.map(({ source }) => source).join("|")})`);

/** Calls back with each line of an output, in order. Lines too short or too long for a summary are left out. */
export function forEachLine(output: string, use: (line: string) => void): void {
  const text = output.includes("\u001b") ? output.replace(ANSI, "") : output;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    if (end - start >= MIN_LENGTH && end - start <= MAX_LENGTH) use(lastState(text.slice(start, end)));
    start = end + 1;
  }
}

/** Whether one of the readings of a line is accepted: the line as it is, or without the prefixes of wrappers. */
export function someReading(line: string, takes: (reading: PlainLine) => boolean): boolean {
  let reading: PlainLine = { text: line, writer: "", place: null };
  for (let prefixes = 0; !takes(reading); prefixes += 1) {
    const match = prefixes < MAX_PREFIXES ? PREFIX.exec(reading.text) : null;
    if (match === null) return false;
    const { bracket, service, place = null, scope = place } = match.groups ?? {};
    const text = reading.text.slice(match[0].length);
    reading = { text, writer: bracket ?? service ?? scope ?? reading.writer, place: scope ?? reading.place };
  }
  return true;
}

/** The visible end of a line that was overwritten after carriage returns. */
function lastState(line: string): string {
  const shown = line.trimEnd();
  return shown.slice(shown.lastIndexOf("\r") + 1);
}
