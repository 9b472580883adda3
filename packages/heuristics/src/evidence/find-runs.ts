import { findReports, type Language, type TestReport } from "@agent-checkpoint/reports";
import {
  kindOfName,
  NO_RUNNERS,
  operandsOf,
  parseCommandLine,
  readStatus,
  type RunKind,
  runOf,
} from "@agent-checkpoint/commands";
import { runPlaces } from "./run-places.ts";
import type { PlacedCommand, Turn, TurnCall } from "../turn/read-turn.ts";
import type { RepositoryFacts } from "../types.ts";

/** The outcome of a run; `empty`: it ran nothing. */
export type Outcome = "succeeded" | "failed" | "masked" | "unfinished" | "empty";

/** A command of the turn, or a report in an output, with its outcome. */
export interface Sighting {
  readonly call: TurnCall;
  readonly command: PlacedCommand;
  readonly outcome: Outcome;
}

/** Something that the turn ran for a known purpose. */
export interface FoundRun extends Sighting {
  readonly kind: RunKind;
  /** The languages of the code that it looked at; empty for any. */
  readonly languages: readonly Language[];
  /** The folders whose code it looked at, as absolute paths; null if unknown. */
  readonly places: readonly string[] | null;
  /** The runner's report. */
  readonly reports: readonly TestReport[];
}

/** What the turn ran, by the names of commands and by the reports of test runners in their output, whoever started them. */
export function findRuns(turn: Turn, facts: RepositoryFacts | null): readonly FoundRun[] {
  const outputs = new Map<string, FoundRun>();
  const pushes = pushesIn(turn);
  const found = turn.calls.flatMap((call, index) => {
    const reports = ownReports(call);
    const runs = [
      ...runsOfCommands(call, reports, facts),
      ...runsOfCi(call, pushes),
      ...runsShown(call, outputs),
      ...runsOfOthers(call, turn.calls.slice(index + 1)),
    ];
    for (const run of runs) for (const file of outputFiles(run)) outputs.set(file, run);
    return runs;
  });
  return withoutStashed(found, turn);
}

/**
 * Runs while the turn's changes were stashed say nothing about them, but what was red then too is not their fault:
 * a run that fails no more tests with the changes than without them counts as green.
 */
function withoutStashed(runs: readonly FoundRun[], { calls }: Turn): readonly FoundRun[] {
  const moves = calls.flatMap(({ commands }) =>
    commands.flatMap(({ argv: [program, subcommand, word = "push"], order }) => {
      if (program !== "git" || subcommand !== "stash") return [];
      if (/^(?:push|save|-.*)$/.test(word)) return [{ order, isAway: true }];
      return word === "pop" || word === "apply" ? [{ order, isAway: false }] : [];
    }),
  );
  const isStashed = ({ command: { order } }: FoundRun) =>
    moves.findLast((move) => move.order < order)?.isAway === true && moves.some((move) => move.order > order);
  const before = runs.filter((run) => run.kind === "test" && isStashed(run));
  if (before.length === 0) return runs;
  const isOld = (run: FoundRun) =>
    run.outcome === "failed" &&
    failuresOf(run) > 0 &&
    before.some((other) => agree(other.languages, run.languages) && failuresOf(other) >= failuresOf(run));
  return runs
    .filter((run) => !before.includes(run))
    .map((run): FoundRun => (run.kind === "test" && isOld(run) ? { ...run, outcome: "succeeded" } : run));
}

function failuresOf({ reports }: FoundRun): number {
  return reports.reduce((sum, { failed }) => sum + (failed ?? 0), 0);
}

/** CI that was seen to pass: it proves what the turn had pushed before. One that failed is a question that was answered. */
function runsOfCi(call: TurnCall, pushes: readonly PlacedCommand[]): FoundRun[] {
  if (pushes.length === 0) return [];
  const command = call.commands.find(({ argv }) => CI.test(argv.join(" ")));
  const pushed = command && pushes.findLast(({ order }) => order < command.order);
  if (command === undefined || pushed === undefined) return [];
  const { resultSnippet } = call.record;
  const isStatus = command.argv.includes("checks") || command.argv.includes("--exit-status");
  const told = outcomeOf(call, command) === "succeeded" && isStatus;
  const shown = CI_GREEN.test(resultSnippet) && !CI_OTHER.test(resultSnippet);
  if (!told && !shown) return [];
  const seen = { ...command, order: pushed.order };
  return [{ call, command: seen, outcome: "succeeded", kind: "test", languages: [], places: null, reports: [] }];
}

function pushesIn({ calls }: Turn): readonly PlacedCommand[] {
  return calls
    .filter(({ record }) => record.hadError !== true)
    .flatMap(({ commands }) => commands.filter(({ argv }) => PUSH.test(argv.join(" "))));
}

const CI = /^gh (?:run (?:watch|view|list)|pr checks)\b|^glab ci (?:status|view)\b/;
const PUSH = /^git (?:-\S+ \S+ )?push\b|^gh pr (?:create|merge)\b/;
const CI_GREEN = /^✓ |^completed\tsuccess\t|\tpass\t/m;
const CI_OTHER = /^ *X |\t(?:fail|failure|pending|cancelled)\b|^(?:in_progress|queued)\b|\bexit: [1-9]/m;

function runsOfCommands(call: TurnCall, reports: readonly TestReport[], facts: RepositoryFacts | null): FoundRun[] {
  const unclaimed = new Set(reports);
  const known = call.commands.flatMap((command) => {
    const run = runOf(command, facts);
    return run === null ? [] : [{ command, run }];
  });
  const tests = known.filter(({ run }) => run.kind === "test");
  // As many reports as runs: each has its own. Fewer: it is unknown which run a red one belongs to.
  const isOneEach = tests.length === reports.length;
  const runs = known.flatMap(({ command, run }): FoundRun[] => {
    const fitting = run.kind === "test" ? reports.filter((report) => agree(report.languages, run.languages)) : [];
    const place = tests.findIndex((test) => test.command === command);
    const own = isOneEach ? fitting.filter((report) => report === reports[place]) : fitting;
    const isShared = !isOneEach && tests.filter((test) => agree(test.run.languages, run.languages)).length > own.length;
    for (const report of own) unclaimed.delete(report);
    const languages = own.length > 0 ? languagesOf(own) : run.languages;
    const told = own.length > 0 ? outcomeByReports(own, call, command) : outcomeOf(call, command, run.kind);
    const outcome = isShared && own.length > 0 && told === "failed" ? "masked" : told;
    return [{ call, command, outcome, kind: run.kind, languages, places: runPlaces(command, facts), reports: own }];
  });
  const command = call.commands.findLast((one) => !isTeller(one));
  if (unclaimed.size === 0 || command === undefined) return runs;
  const own = [...unclaimed];
  const outcome = outcomeByReports(own, call, command);
  const places = runPlaces(command, facts);
  return [...runs, { call, command, outcome, kind: "test", languages: languagesOf(own), places, reports: own }];
}

function languagesOf(reports: readonly TestReport[]): readonly Language[] {
  return reports.some(({ languages }) => languages.length === 0)
    ? []
    : [...new Set(reports.flatMap(({ languages }) => languages))];
}

/** Whether two lists of languages have one in common; an empty list is any language. */
export function agree(one: readonly string[], other: readonly string[]): boolean {
  return one.length === 0 || other.length === 0 || one.some((language) => other.includes(language));
}

/** The reports of what the call itself ran: not those that it only shows, and not words that it echoes. */
function ownReports({ record, commands }: TurnCall): readonly TestReport[] {
  if (record.kind !== "shell" || record.reports.length === 0 || commands.every(isTeller)) return [];
  return findReports(record.command ?? "").length > 0 ? [] : record.reports;
}

/** Subcommands of git that run hooks. */
const WITH_HOOKS: ReadonlySet<string> = new Set(["commit", "push", "merge", "rebase", "cherry-pick", "am"]);

/** A command that shows, moves or queries: a report in its output is of another run. */
function isTeller(command: PlacedCommand): boolean {
  const [program = "", ...args] = command.argv;
  if (program === "git") return !args.some((word) => WITH_HOOKS.has(word));
  if (program === "docker" || program === "docker-compose" || program === "podman") return args.includes("logs");
  // What a terminal shows is of a program that still runs in it.
  if (program === "tmux") return !args.includes("capture-pane");
  if (program === "ssh") {
    const [, ...line] = operandsOf(args, OF_SSH);
    return !parseCommandLine(line.join(" ")).some((inner) => runOf(inner)?.kind === "test");
  }
  return NO_RUNNERS.has(program) && runOf(command)?.kind !== "test";
}

/** Options of `ssh` that take a value. */
const OF_SSH = ["-p", "-i", "-o", "-l", "-F", "-J"];

function outcomeByReports(reports: readonly TestReport[], call: TurnCall, command: PlacedCommand): Outcome {
  if (reports.some(({ outcome }) => outcome === "red")) return "failed";
  if (reports.every(({ outcome }) => outcome === "nothing-run"))
    return showsOnlyFailures(command.filters) ? outcomeOf(call, command, "test") : "empty";
  const isWhole = reports.every(({ isComplete }) => isComplete);
  if (!isWhole && !command.decides && hidesFailures(command.filters)) return "masked";
  // A run that passed all its tests can fail for another reason, such as too little coverage.
  const [suspect, ...others] = commandsThatMayHaveFailed(call);
  const failedAlone = call.record.hadError === true && suspect === command && others.length === 0;
  return failedAlone ? "failed" : "succeeded";
}

/** Commands whose failure is not worth mentioning. */
const TRIVIAL: ReadonlySet<string> = new Set([
  "cd",
  "echo",
  "printf",
  "true",
  ":",
  "sleep",
  "export",
  "set",
  "source",
  ".",
  "pushd",
  "popd",
  "unset",
  "umask",
  "ulimit",
  "{",
]);

/** Programs that answer "no" with exit status 1. */
const SEARCHES: ReadonlySet<string> = new Set([
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "ag",
  "ack",
  "diff",
  "cmp",
  "test",
  "[",
  "[[",
  "pgrep",
]);

/** The commands of a failed call that its status may have come from. */
export function commandsThatMayHaveFailed({ commands }: TurnCall): readonly PlacedCommand[] {
  const serious = commands.filter(({ argv }) => argv.length > 0 && !TRIVIAL.has(argv[0] ?? ""));
  const deciding = serious.filter(({ decides }) => decides);
  return deciding.length > 0 ? deciding : serious;
}

/** Whether the call "failed" only because a search or comparison said no. */
export function isSearchWithoutMatch(call: TurnCall): boolean {
  const { exitCode } = call.record;
  if (exitCode !== null && exitCode !== 1) return false;
  const suspects = commandsThatMayHaveFailed(call);
  return suspects.length > 0 && suspects.every(({ argv }) => isSearch(argv));
}

function isSearch([program = "", subcommand = ""]: readonly string[]): boolean {
  return SEARCHES.has(program) || (program === "git" && (subcommand === "grep" || subcommand === "diff"));
}

const NOTHING_DONE = /^g?make(?:\[\d+\])?: (?:'.*' is up to date|Nothing to be done for)/m;

/** Messages of programs about errors. */
const TROUBLE =
  /\berrors?\b(?! TS0)|\bfail(?:ed|ures?)?\b|\bpanic\b|✖|✗|×|\bcannot find\b|\bundefined:|\bTraceback\b|^# \S+ \[\S+\.test\]/im;

/** The outcome of one command of a call: a status that could not have been lost, or one that the line prints. */
export function outcomeOf({ record }: TurnCall, command: PlacedCommand, kind: RunKind | null = null): Outcome {
  if (record.rejected) return "failed";
  const shown = command.statusShown === null ? null : readStatus(record.resultSnippet, command.statusShown);
  if (shown !== null) return shown === 0 ? "succeeded" : "failed";
  if (record.hadError === null || !record.hasResult) return "unfinished";
  if (kind === "run" && record.reports.some(({ outcome }) => outcome === "red")) return "failed";
  const text = withoutCounts(record.resultSnippet);
  const isSilent = command.filters.length > 0 && !TROUBLE.test(text);
  if (record.hadError) return isSilent && showsOnlyFailures(command.filters) ? "succeeded" : "failed";
  if (kind === "test" && NOTHING_DONE.test(record.resultSnippet)) return "empty";
  if (kind === "test" && COUNTED_RED.test(record.resultSnippet)) return "failed";
  if (command.decides) return "succeeded";
  if (kind === "test" && CONCLUDED.test(record.resultSnippet) && !hidesFailures(command.filters)) return "succeeded";
  const isStatic = kind === "types" || kind === "lint" || kind === "build" || kind === "run";
  const isPraised = kind === "test" && PRAISE.test(record.resultSnippet);
  if (isStatic && command.filters.length > 0 && BUILT.test(text) && !GAVE_UP.test(text)) return "succeeded";
  return isSilent && (isStatic || isPraised || showsOnlyFailures(command.filters)) ? "succeeded" : "masked";
}

/** What build tools that run tests print at their end if all went well. */
const CONCLUDED =
  /^(?:\[INFO\] )?BUILD SUCCESS$|^BUILD SUCCESSFUL in \d|^ *Tasks: +(\d+) successful, \1 total *$|^nox > Session \S+ was successful|^ {2}congratulations :\)/m;

/** Messages of a project's scripts that their tests passed. */
const PRAISE =
  /\ball (?:\w+ )?(?:tests|checks|specs) (?:have )?(?:passed|pass|succeeded|ok)\b|\b\d+ (?:tests? )?pass(?:ed|ing)?\b|^✅ Continuous Integration passed/im;

/** A count of failures beside a count of what passed, on one line. */
const COUNTED_RED =
  /\bpass(?:ed|ing)?\b.*\b[1-9]\d* (?:\w+ )?fail(?:ed|ing|ures?)\b|\b[1-9]\d* (?:\w+ )?fail(?:ed|ing|ures?)\b.*\bpass(?:ed|ing)?\b/i;

/** Last messages of builds and linters, good and bad. */
const BUILT =
  /\[SUCCESS\]|\bcompiled successfully\b|\bbuilt in \d|\bbuild (?:succeeded|successful|completed?)\b|\bFinished `|\bno (?:fixes applied|issues found|problems)\b|✓ built/i;
const GAVE_UP =
  /npm (?:error|ERR!)|ELIFECYCLE|exited with code|\bbuild failed\b|\berror(?:\[\w+\])?:|\bFound [1-9]\d* errors?\b/i;

/** `0 errors` is not an error, and neither are the options of a command that a script runner prints. */
function withoutCounts(text: string): string {
  return text
    .replaceAll(/^[$>] .*$/gm, "")
    .replaceAll(/\b(?:0|no) (?:errors?|fail\w*|warnings?)\b|\b(?:errors?|failed|failures?)"?:? ?0\b/gi, "");
}

/** Files that a run's output goes to, by redirection or because it runs in the background. */
function outputFiles({ command, call, kind }: FoundRun): readonly string[] {
  if (kind !== "test") return [];
  const [, written] = /Output is being written to: (\S+)/.exec(call.record.resultSnippet) ?? [];
  const teed = command.filters.flatMap(([program, ...args]) => (program === "tee" ? args : []));
  return [...command.redirectsTo, ...teed, ...(written === undefined ? [] : [written.replace(/\.$/, "")])].map(
    baseName,
  );
}

/** A later look at the output of a run shows how it ended. */
function runsShown({ record, commands }: TurnCall, outputs: ReadonlyMap<string, FoundRun>): FoundRun[] {
  if (record.reports.length === 0 || (record.kind !== "read" && record.kind !== "shell")) return [];
  const named = record.kind === "read" ? record.files : commands.filter(isTeller).flatMap(({ argv }) => argv.slice(1));
  return [...new Set(named.map((file) => outputs.get(baseName(file))))].flatMap((run) => {
    if (run === undefined) return [];
    const { reports } = record;
    const isRed = reports.some(({ outcome }) => outcome === "red");
    const outcome = isRed ? "failed" : reports.some((report) => report.outcome === "green") ? "succeeded" : "empty";
    return [{ ...run, outcome, languages: languagesOf(reports), reports }];
  });
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** What a third-party tool, or a sub-agent, reports about a run. */
function runsOfOthers(call: TurnCall, later: readonly TurnCall[]): FoundRun[] {
  const { kind, reports, rejected, toolName, hadError } = call.record;
  if ((kind !== "other" && kind !== "agent") || rejected) return [];
  if (kind === "other" && BROWSERS.test(toolName)) {
    const looked: PlacedCommand = { ...NO_COMMAND, argv: [toolName], order: call.order };
    const outcome = hadError === false ? "succeeded" : "failed";
    return [{ call, command: looked, outcome, kind: "run", languages: ["javascript"], places: null, reports: [] }];
  }
  const isNamed = kind === "other" && reports.length === 0 && isTestTool(call);
  // A sub-agent's calls follow the call that started it, and its report is about their end.
  const own = later.findIndex(({ record }) => record.by !== "subagent");
  const last = kind === "agent" ? later.slice(0, own === -1 ? undefined : own).at(-1) : undefined;
  const isSaid = kind === "agent" && reports.length === 0 && last === undefined && saysItTested(call);
  if (reports.length === 0 && !isNamed && !isSaid) return [];
  const command: PlacedCommand = { ...NO_COMMAND, argv: [call.record.toolName], order: (last ?? call).order };
  const outcome = isNamed || isSaid ? outcomeOf(call, command, "test") : outcomeByReports(reports, call, command);
  return [{ call, command, outcome, kind: "test", languages: languagesOf(reports), places: null, reports }];
}

/** A sub-agent whose calls are not there to be read, and whose answer says that it saw the tests pass. */
function saysItTested({ record: { resultSnippet, hadError } }: TurnCall): boolean {
  return hadError === false && PRAISE.test(resultSnippet) && !UNTESTED.test(resultSnippet);
}

/** What takes back that all tests pass. */
const UNTESTED = /n't\b|\bnot\b|\bcannot\b|\bunable\b|\bshould\b|\bwithout\b|\bexcept\b|\b[1-9]\d* (?:\w+ )?fail/i;

/** `mcp__XcodeBuildMCP__test_sim`: a third-party tool with such a name, unless its answer is about trouble. */
function isTestTool({ record: { toolName, resultSnippet, hadError } }: TurnCall): boolean {
  const name = /^mcp__.+__(.+)$/.exec(toolName)?.[1] ?? "";
  const isRun = kindOfName(name) === "test" && !/^(?:list|get|find|read|show)|(?:results?|status)$/i.test(name);
  return isRun && hadError === false && !TROUBLE.test(withoutCounts(resultSnippet)) && resultSnippet !== "";
}

/** Tools with which an agent looks at a page. */
const BROWSERS =
  /^mcp__.*(?:browser|playwright|puppeteer|chrome|devtools).*(?:navigate|click|snapshot|screenshot|eval|javascript|type|fill|read_page)/i;

const NO_COMMAND: PlacedCommand = {
  argv: [],
  path: "",
  decides: true,
  maskedBy: null,
  step: 0,
  folder: null,
  redirectsTo: [],
  redirectsFrom: [],
  filters: [],
  statusShown: null,
  script: null,
  order: 0,
  isInProject: true,
};

/** Programs that keep the beginning of an output, or lines by their number. */
const BEGINNINGS: ReadonlySet<string> = new Set(["head"]);

/** Programs that keep the lines or events that a pattern selects. */
const GREPS: ReadonlySet<string> = new Set("grep egrep fgrep rg ag awk gawk jq Select-String findstr".split(" "));

/** Messages of a run that cannot reach a service or a browser it needs. */
export const NO_SERVICE: RegExp =
  /cannot connect to the docker daemon|permission denied while trying to connect to the docker|docker\.sock|could not connect to (?:the )?server|connection to server .* failed|ECONNREFUSED|connection[ _]refused|ENOTFOUND|could not resolve host|\bdns error\b|executable doesn't exist at|no binary for chrome|could not find chrome/i;

/** Words in a pattern that lets the lines of a failure through. */
const BAD = /fail|error|not ok|panic|✗|✘|×|✖|exit|FAIL|\bE\b|warn|exception|undefined/i;

/** Words in a pattern that lets a runner's closing counts through, whatever they are. */
const COUNTS = /tests?\b|passed|passing|pass\b|result|summary|total|suites?|ran\b|examples|\\d|\[0-9\]/i;

type Filters = readonly (readonly string[])[];

/** Whether the filters on an output may keep only the good lines: `| grep ok`, `| head -5`. */
export function hidesFailures(filters: Filters): boolean {
  return filters.some(([program = "", ...args]) => {
    if (BEGINNINGS.has(program) || (program === "Select-Object" && args.includes("-First"))) return true;
    if (program === "sed") return args.includes("-n");
    if (!GREPS.has(program)) return false;
    const pattern = patternOf(args);
    return isInverted(args)
      ? BAD.test(pattern)
      : !BAD.test(pattern) && (!COUNTS.test(pattern) || /\bok\b/.test(pattern));
  });
}

/** Whether the filters on an output leave only failures, so that silence is good news: `| grep FAIL`, `| grep -v ^ok`. */
export function showsOnlyFailures(filters: Filters): boolean {
  return (
    !hidesFailures(filters.filter(([program]) => program !== "head")) &&
    filters.some(
      ([program = "", ...args]) =>
        GREPS.has(program) && (isInverted(args) ? !BAD.test(patternOf(args)) : BAD.test(patternOf(args))),
    )
  );
}

function isInverted(args: readonly string[]): boolean {
  return args.some((word) => /^-[a-zA-Z]*v[a-zA-Z]*$/.test(word) || word === "--invert-match");
}

function patternOf(args: readonly string[]): string {
  return args.filter((word) => !word.startsWith("-")).join(" ");
}
