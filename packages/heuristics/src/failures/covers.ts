import { operandsOf } from "../shell/operands-of.ts";
import { kindOfName, runOf } from "../runs/run-of.ts";
import { VALUED_OPTIONS } from "../shell/wrappers.ts";

/** Options of test runners that leave tests out. */
const NARROWING =
  /^(?:-k|-m|-t|--lf|--last-failed|--ff|--deselect|--ignore|--grep|--testNamePattern|--test-name-pattern|--filter|--only|--changed|--related)(?:=|$)/;

/** Programs whose subcommand says what they do, and whose operands are only words for it. */
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

/** Whether the tests that the first words select hold those of the second; no selection means all tests. */
function selectsAll(program: string, wider: readonly string[], narrower: readonly string[]): boolean {
  const [all, some] = [splitSelection(program, wider), splitSelection(program, narrower)];
  if (all.command !== some.command) return false;
  if (all.targets.length === 0) return true;
  return some.targets.length > 0 && some.targets.every((target) => all.targets.some((one) => contains(one, target)));
}

function isTestRun(argv: readonly string[]): boolean {
  return runOf({ argv, path: argv[0] ?? "" })?.kind === "tests";
}

interface Selection {
  readonly command: string;
  readonly targets: readonly string[];
}

/** `npm run test:unit a.ts` is the command `test:unit` on the selection `a.ts`; a test runner's own words are all selection. */
function splitSelection(program: string, words: readonly string[]): Selection {
  const isDirect = isTestRun([program]);
  const isCommand = (word: string) =>
    word === "run" || (!isDirect && !/[./]/.test(word) && /^tests$|^maybe-tests$/.test(kindOfName(word) ?? ""));
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
