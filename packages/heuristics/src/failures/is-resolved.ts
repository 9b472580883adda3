import { commandsThatMayHaveFailed, type Outcome, outcomeOf } from "../evidence/find-runs.ts";
import {
  kindOfName,
  operandsOf,
  type ProjectPlace,
  runOf,
  toProjectPath,
  VALUED_OPTIONS,
} from "@agent-checkpoint/commands";
import type { PlacedCommand, TurnCall } from "../turn/read-turn.ts";

/**
 * Whether something later in the turn resolved a failure: a successful run of the same command or of a wider one,
 * an edit or write of the file concerned, or a shell command on that file.
 * A re-run that failed again takes the earlier failure's place.
 */
export function isResolved(failure: TurnCall, later: readonly TurnCall[], place: ProjectPlace): boolean {
  return isRerun(failure, later) || isFileTakenUp(concernedFiles(failure, place), later, place);
}

function isRerun(failure: TurnCall, later: readonly TurnCall[]): boolean {
  const suspects = commandsThatMayHaveFailed(failure);
  const reruns = later.filter(({ record }) => !record.rejected);
  const hasEnded = (outcome: Outcome, { record }: TurnCall) =>
    outcome === "succeeded" || outcome === "failed" || record.reports.some((report) => report.outcome === "green");
  const wasRun = (suspect: PlacedCommand) =>
    reruns.some((call) =>
      call.commands.some((command) => hasEnded(outcomeOf(call, command), call) && covers(command.argv, suspect.argv)),
    );
  return suspects.length > 0 && suspects.every(wasRun);
}

function isFileTakenUp(files: ReadonlySet<string>, later: readonly TurnCall[], place: ProjectPlace): boolean {
  return later.some((call) => {
    const { kind, hadError, rejected } = call.record;
    if (hadError !== false || rejected) return false;
    if (kind === "edit" || kind === "write") return call.writes.some(({ file }) => files.has(file));
    return kind === "shell" && call.commands.some((command) => names(command, files, place));
  });
}

function names({ argv, folder, redirectsTo }: PlacedCommand, files: ReadonlySet<string>, place: ProjectPlace): boolean {
  return [...argv.slice(1), ...redirectsTo].some((word) => {
    const file = toProjectPath(word, place, folder ?? ".");
    return file !== null && files.has(file);
  });
}

/** Options of test runners that leave tests out. */
const NARROWING =
  /^(?:-k|-m|-t|--lf|--last-failed|--ff|--deselect|--ignore|--grep|--testNamePattern|--test-name-pattern|--filter|--only|--changed|--related)(?:=|$)/;

/** Programs whose subcommand says what they do, and whose operands only name what it applies to. */
const BY_SUBCOMMAND: ReadonlySet<string> = new Set(["git", "gh", "docker", "kubectl"]);

/** Whether a later command is the same as an earlier one, or wider: `pytest` covers `pytest tests/a.py`. */
export function covers(later: readonly string[], earlier: readonly string[]): boolean {
  const [program = "", ...args] = later;
  if (program !== earlier[0] || program === "") return false;
  const valued = valuedOptions(program);
  const words = operandsOf(args, valued);
  const earlierWords = operandsOf(earlier.slice(1), valued);
  if (BY_SUBCOMMAND.has(program)) return words[0] === earlierWords[0];
  if (isTestRun(later) && isTestRun(earlier)) {
    return narrowings(args).every((option) => earlier.includes(option)) && selectsAll(program, words, earlierWords);
  }
  return words.length === earlierWords.length && words.every((word, index) => word === earlierWords[index]);
}

/** Whether the tests that the first words select include those of the second; no selection means all tests. */
function selectsAll(program: string, wider: readonly string[], narrower: readonly string[]): boolean {
  const [all, some] = [splitSelection(program, wider), splitSelection(program, narrower)];
  if (all.command !== some.command) return false;
  if (all.targets.length === 0) return true;
  return some.targets.length > 0 && some.targets.every((target) => all.targets.some((one) => contains(one, target)));
}

function isTestRun(argv: readonly string[]): boolean {
  return runOf({ argv, path: argv[0] ?? "" })?.kind === "test";
}

interface Selection {
  readonly command: string;
  readonly targets: readonly string[];
}

/** `npm run test:unit a.ts` is the command `test:unit` on the selection `a.ts`; a test runner's own words are all selection. */
function splitSelection(program: string, words: readonly string[]): Selection {
  const isDirect = isTestRun([program]);
  const isCommand = (word: string) =>
    word === "run" || (!isDirect && !/[./]/.test(word) && /^(?:maybe-)?test$/.test(kindOfName(word) ?? ""));
  const start = words.findIndex((word) => !isCommand(word));
  const end = start === -1 ? words.length : start;
  const command = words.slice(0, end).filter((word) => word !== "run");
  return { command: command.join(" "), targets: words.slice(end) };
}

function valuedOptions(program: string): readonly string[] {
  return VALUED_OPTIONS.get(program) ?? (program === "pytest" ? ["-k", "-m", "-p", "-c", "-n", "-W", "-o"] : []);
}

function narrowings(args: readonly string[]): readonly string[] {
  return args.filter((word, index) => NARROWING.test(word) || NARROWING.test(args[index - 1] ?? ""));
}

/** A folder contains its files, a test file its tests. */
function contains(wider: string, target: string): boolean {
  const folder = wider.replace(/^\.\//, "").replace(/\/?(?:\.\.\.)?$/, "");
  const inner = target.replace(/^\.\//, "");
  return (
    folder === inner ||
    folder === "" ||
    folder === "." ||
    inner.startsWith(`${folder}/`) ||
    inner.startsWith(`${folder}::`)
  );
}

/** Places in error output that name a file: Python, test runners, compilers. */
const IN_OUTPUT = [
  /\bFile "([^"\n]+)", line \d/g,
  /\b(?:FAILED|ERROR)\s+([^\s:]+\.\w+)/g,
  /(?:^|[\s("'])((?:[\w.@+-]+\/)*[\w.@+-]+\.\w{1,5})[:(]\d+/gm,
];

/** The files of the project that a failed call is about: those it names, and those its output points at. */
export function concernedFiles({ record, commands, writes }: TurnCall, place: ProjectPlace): ReadonlySet<string> {
  const named = commands.flatMap(({ argv, folder }) =>
    argv
      .slice(1)
      .filter(looksLikeFile)
      .map((word) => toProjectPath(bare(word), place, folder ?? ".")),
  );
  const pointedAt = IN_OUTPUT.flatMap((pattern) =>
    [...record.resultSnippet.matchAll(pattern)].map((match) => toProjectPath(match[1] ?? "", place, record.cwd ?? ".")),
  );
  const all = [...writes.map(({ file }) => file), ...named, ...pointedAt];
  return new Set(all.filter((file) => file !== null));
}

function looksLikeFile(word: string): boolean {
  return !word.startsWith("-") && !word.includes("://") && /[^/.]\.[A-Za-z]\w{0,5}(?:::.*|:\d+.*)?$/.test(word);
}

/** `tests/a.py::test_x` and `a.py:12` are about their file. */
function bare(word: string): string {
  return word.replace(/::.*$|:\d+.*$/, "");
}
