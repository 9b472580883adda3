import { languagesOfFile } from "@agent-checkpoint/reports";
import { agree, type FoundRun, NO_SERVICE } from "../evidence/find-runs.ts";
import { covers, type TraceInput } from "../evidence/trace-action.ts";
import {
  absolutePath,
  below,
  isInProject,
  joinPath,
  operandsOf,
  type ProjectPlace,
  type RunKind,
  toProjectPath,
} from "@agent-checkpoint/commands";
import { claimsGreen } from "../plain-language.ts";
import type { Turn, TurnCall } from "../turn/read-turn.ts";

/** A run that has to be resolved if it failed, and what resolves it. */
const SERIOUS: ReadonlyMap<RunKind, readonly RunKind[]> = new Map<RunKind, readonly RunKind[]>([
  ["test", ["test"]],
  ["build", ["build", "test"]],
  ["migrate", ["migrate"]],
  ["commit", ["commit"]],
]);

/** What is red and what was changed. */
type RedInput = Pick<TraceInput, "turn" | "files" | "runs" | "facts" | "place"> & {
  readonly changedFiles: readonly string[];
  readonly lastWords: string;
};

/**
 * The calls with a test run, build, migration or commit that failed and that nothing later in the turn resolved.
 *
 * Any later green run of that language settles a red one, whatever its words, unless the later ones passed fewer tests
 * than had failed. A run that never tested anything is
 * settled by a static check. A red run of code that the turn did not change only answers a question, but not if only documents
 * changed and the agent's answer is that the tests pass.
 */
export function stayedRed({
  turn,
  files,
  runs,
  facts,
  place,
  changedFiles,
  lastWords,
}: RedInput): ReadonlySet<TurnCall> {
  const code = changedFiles.filter((file) => languagesOfFile(file).length > 0);
  const clones = clonesOf(turn).map((folder) => absolutePath(folder, place));
  const isInClone = ({ places }: FoundRun) =>
    places?.every((folder) => clones.some((clone) => below(absolutePath(folder, place), clone) !== null)) === true;
  const isProse = files.documents.length > 0 && files.matches.length === 0 && files.withoutRule.length === 0;
  const isDeniedRed = isProse && claimsGreen(lastWords);
  const isOfChange = (run: FoundRun) =>
    isDeniedRed
      ? run.kind === "test"
      : run.kind === "test" || run.kind === "build"
        ? code.some((file) => covers(run, file, { facts, place }))
        : code.some((file) => isOfRepository(run, file, place));
  const green = runs.filter(({ outcome }) => outcome === "succeeded");
  const open = runs.filter(
    (run) =>
      run.outcome === "failed" &&
      isOfChange(run) &&
      !isInClone(run) &&
      !isExcused(run) &&
      !isProbe(run, turn) &&
      !isSettled(run, green, turn),
  );
  return new Set(open.map(({ call }) => call));
}

/** Whether a commit or migration ran in the project that a file lies in, or above the file if it lies elsewhere. */
function isOfRepository({ places }: FoundRun, file: string, place: ProjectPlace): boolean {
  const isOwn = toProjectPath(file, place) !== null;
  return (
    places?.some((folder) =>
      isOwn ? isInProject(folder, place) : below(file, absolutePath(folder, place)) !== null,
    ) === true
  );
}

/** The folders that the turn cloned other repositories into. */
function clonesOf(turn: Turn | null): readonly string[] {
  return (turn?.calls ?? []).flatMap(({ commands }) =>
    commands.flatMap(({ argv: [program, ...args], folder }) => {
      const [subcommand, source = "", target] = operandsOf(args, ["-C", "-c", "-b", "--branch", "--depth", "-o"]);
      if (program !== "git" || subcommand !== "clone" || folder === null) return [];
      const name =
        target ??
        source
          .replace(/\/$/, "")
          .replace(/^.*[/:]/, "")
          .replace(/\.git$/, "");
      // A repository cloned into the project's own folder is the project.
      return name === "" || name === "." ? [] : [joinPath(folder, name)];
    }),
  );
}

/** A run between the breaking of a file and its restoring was meant to fail. */
function isProbe({ command }: FoundRun, turn: Turn | null): boolean {
  return turn?.restores.some(({ order, since }) => since < command.order && command.order < order) === true;
}

function isSettled(run: FoundRun, green: readonly FoundRun[], turn: Turn | null): boolean {
  const settling = SERIOUS.get(run.kind);
  if (settling === undefined) return true;
  const isBare = run.kind === "test" && run.reports.length === 0;
  const settles = (other: FoundRun, kinds: readonly RunKind[]) =>
    kinds.includes(other.kind) && agree(other.languages, run.languages) && !isNarrower(other, run, turn);
  const later = green.filter((other) => other.command.order > run.command.order && settles(other, settling));
  if (later.length === 0) return isBare && green.some((other) => settles(other, ["types", "build"]));
  const isSame = later.some(({ command }) => command.argv.join(" ") === run.command.argv.join(" "));
  const counts = later.map((other) => countOf(other));
  return isSame || counts.includes(null) || sumOf(counts) >= sumOf(run.reports.map(({ failed }) => failed));
}

function sumOf(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/**
 * Whether a green run left out most of the tests that a red one ran, by their own counts: with no fix
 * between them, or with a selection in place of another one.
 */
function isNarrower(green: FoundRun, red: FoundRun, turn: Turn | null): boolean {
  const [few, many] = [countOf(green), countOf(red)];
  if (few === null || many === null || few * 2 >= many) return false;
  const isMended = turn?.changes.some(({ order }) => red.command.order < order && order < green.command.order) === true;
  const [kept, before] = [selectionOf(green), selectionOf(red)];
  const isAllSeen = green.command.filters.length === 0 || green.reports.every(({ isComplete }) => isComplete);
  return isAllSeen && (!isMended || (kept !== null && before !== null && kept !== before));
}

/** Options with which runners select tests by name. */
const SELECTING = /^(?:-g|--grep|--fgrep|-k|-t|--test-?name-?pattern|-run|--run|--filter|-e|--example)(?:=(.*)|$)/i;

function selectionOf({ command: { argv } }: FoundRun): string | null {
  const at = argv.findIndex((word) => SELECTING.test(word));
  return at === -1 ? null : (SELECTING.exec(argv[at] ?? "")?.[1] ?? argv[at + 1] ?? null);
}

function countOf({ reports }: FoundRun): number | null {
  const counts = reports.map(({ passed, failed }) => (passed === null ? null : passed + (failed ?? 0)));
  return counts.length === 0 || counts.includes(null) ? null : sumOf(counts);
}

/** Exit statuses of shells for commands that never ran or were ended from outside: not found, not executable, timed out, killed. */
const NOT_ITS_OWN: ReadonlySet<number> = new Set([124, 126, 127, 130, 137, 143]);

/** Messages of programs that were called wrongly, or that had nothing to do. */
const NO_RUN =
  /unrecognized (?:subcommand|option|argument)|unknown (?:option|command|flag|argument)|unexpected argument|no such (?:subcommand|option|command)|command not found|is not recognized as|missing script|nothing to commit|nothing added to commit|no changes added|^usage:|^error: (?:script|task|recipe) .*not found|unknown script/im;

function isExcused({ call: { record }, reports }: FoundRun): boolean {
  if (record.rejected || NO_SERVICE.test(record.resultSnippet)) return true;
  if (reports.some(({ outcome }) => outcome === "red")) return false;
  return (record.exitCode !== null && NOT_ITS_OWN.has(record.exitCode)) || NO_RUN.test(record.resultSnippet);
}
