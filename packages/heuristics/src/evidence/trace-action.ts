import {
  type Action,
  type ActionStep,
  asksForTests,
  type Categorization,
  type Category,
  isInCategory,
  KINDS_THAT_COUNT,
  type Rules,
  TESTS_ACTION,
} from "@agent-checkpoint/categories";
import { languagesOfFile } from "@agent-checkpoint/reports";
import { absolutePath, below, isInterpreter, type ProjectPlace, toProjectPath } from "@agent-checkpoint/commands";
import { runPlaces } from "./run-places.ts";
import type { FileChange, Turn } from "../turn/read-turn.ts";
import type { RepositoryFacts } from "../types.ts";
import { type Evidence, findSightings, latestOf } from "./find-evidence.ts";
import { agree, type FoundRun, NO_SERVICE, type Sighting } from "./find-runs.ts";

/** How an action was looked for in a turn. */
export interface ActionTrace {
  readonly action: Action;
  /** Where the turn last changed a file that the action is about; earlier evidence is stale. */
  readonly lastChange: FileChange | null;
  /** The steps that were looked for: all up to the first one without evidence. */
  readonly steps: readonly StepTrace[];
  /** Whether something of it is still to be done. */
  readonly isOpen: boolean;
}

/** One step of an action and its evidence in the turn. */
export interface StepTrace {
  readonly step: ActionStep;
  /** The place in the turn before which a run does not count. */
  readonly after: number;
  readonly evidence: Evidence;
  /** Every run that might have been it. */
  readonly sightings: readonly Sighting[];
}

export interface TraceInput {
  readonly files: Categorization;
  readonly rules: Rules;
  /** Null without a transcript: then there is nothing to look for evidence in. */
  readonly turn: Turn | null;
  /** What the turn ran. */
  readonly runs: readonly FoundRun[];
  readonly facts: RepositoryFacts | null;
  readonly place: ProjectPlace;
}

/** The changed files that ask for an action. */
export function filesAskingFor({ id }: Action, input: Omit<TraceInput, "runs" | "place">): readonly string[] {
  if (id === TESTS_ACTION) return filesToTest(input);
  return [...new Set(input.files.matches.flatMap(({ category, files }) => (category.action === id ? files : [])))];
}

/** Looks for the steps of an action, each after the one before it; the first without evidence is where it has to go on. */
export function traceAction(action: Action, input: TraceInput): ActionTrace {
  const { turn } = input;
  if (turn === null) return { action, lastChange: null, steps: [], isOpen: true };
  const [only, ...others] = action.steps;
  const isTests = action.id === TESTS_ACTION;
  if (isTests && only?.evidence.length === 0 && others.length === 0)
    return traceTests(action, only, { ...input, turn });
  const lastChange = findLastChange(action, { ...input, turn });
  const steps: StepTrace[] = [];
  let after = (lastChange?.order ?? 0) + 1;
  for (const step of action.steps) {
    const sightings = isTests
      ? testRuns(step, { ...input, turn })
      : sightingsOf(action, step, { ...input, turn, change: lastChange });
    const evidence = latestOf(
      sightings.filter(({ command }) => command.isInProject),
      after,
    );
    steps.push({ step, after, evidence, sightings });
    if (evidence.status !== "found") return { action, lastChange, steps, isOpen: true };
    after = evidence.sighting.command.order;
  }
  return { action, lastChange, steps, isOpen: false };
}

/** The runs of the commands that a step names; for a static check that names none, any such run that looked at the change counts too. */
function sightingsOf(
  { id }: Action,
  { run, evidence }: ActionStep,
  { change, ...input }: Input & { readonly change: FileChange | null },
): readonly Sighting[] {
  if (evidence.length > 0) return findSightings(input.turn, evidence);
  const named = findSightings(input.turn, [run]);
  const kinds: readonly string[] = KINDS_THAT_COUNT.get(id) ?? [];
  const others = input.runs.filter(
    ({ kind, command }) => kinds.includes(kind) && !named.some((one) => one.command === command),
  );
  return [...named, ...others.filter((one) => change === null || covers(one, change.file, input))].toSorted(
    (one, other) => one.command.order - other.command.order,
  );
}

function findLastChange(action: Action, { files, rules, turn }: TraceInput & { turn: Turn }): FileChange | null {
  const withoutRule = new Set(files.withoutRule);
  const concerns = (file: string) =>
    rules.categories.some(
      (category) => isInCategory(file, category) && concernsAction(file, category, action, rules),
    ) ||
    (withoutRule.has(file) && (action.id === TESTS_ACTION || rules.baseline.includes(action.id)));
  return turn.changes.findLast(({ file }) => concerns(file)) ?? null;
}

function concernsAction(file: string, category: Category, { id }: Action, { baseline }: Rules): boolean {
  return category.action === id || baseline.includes(id) || (id === TESTS_ACTION && asksForTests(file, category));
}

type Input = TraceInput & { readonly turn: Turn };

/** Looks for tests of each changed file: of its language, of its place, after its last change. */
export function traceTests(action: Action, step: ActionStep, input: Input): ActionTrace {
  const tests = testRuns(step, input);
  const judged = filesToTest(input).map((file) => judgeFile(file, tests, input));
  const open = judged.filter(({ evidence }) => evidence.status !== "found");
  const [shown] = (open.length > 0 ? open : judged).toSorted((one, other) => orderOf(other) - orderOf(one));
  const lastChange = shown?.lastChange ?? null;
  const evidence: Evidence = shown?.evidence ?? { status: "absent" };
  const steps = [{ step, after: (lastChange?.order ?? 0) + 1, evidence, sightings: tests }];
  return { action, lastChange, steps, isOpen: open.length > 0 };
}

/** The changed files that ask for tests: if the rules name no commands, those that this repository has tests for. */
export function filesToTest({ files, rules, facts, turn }: Omit<TraceInput, "runs" | "place">): readonly string[] {
  const step = rules.actions.find(({ id }) => id === TESTS_ACTION)?.steps[0];
  if (step === undefined || step.evidence.length > 0) return files.tested;
  return files.tested.filter(
    (file) => turn?.harmless.has(file) !== true && needIn(file, { files, facts }) !== "nothing",
  );
}

function masked(run: FoundRun): FoundRun {
  return { ...run, outcome: "masked" };
}

/** A changed test is near to itself; a row that a config adds always asks. */
function needIn(file: string, { files, facts }: Pick<TraceInput, "files" | "facts">): Need {
  const own = files.matches.filter(({ category }) => asksForTests(file, category) && isInCategory(file, category));
  if (own.some(({ category }) => category.isFromConfig === true)) return "tests";
  const isTest = own.some(({ category }) => category.alone !== undefined) && languagesOfFile(file).length > 0;
  return isTest ? "tests" : needOf(file, facts);
}

interface JudgedFile {
  readonly file: string;
  readonly lastChange: FileChange | null;
  readonly evidence: Evidence;
}

function orderOf({ lastChange }: JudgedFile): number {
  return lastChange?.order ?? 0;
}

/** The runs that may prove a step: any test run if it names no commands; else those, and what test runners report. */
export function testRuns({ evidence }: ActionStep, { turn, runs, facts }: Input): readonly FoundRun[] {
  const isAny = evidence.length === 0;
  const known = runs
    .filter(({ kind, reports }) => kind === "test" && (isAny || reports.length > 0))
    // A step with commands of its own goes by their exit status: a hidden status is reported as hidden.
    .map((run) => (!isAny && run.outcome === "failed" && run.call.record.hadError === false ? masked(run) : run));
  const named = findSightings(turn, evidence)
    .filter(({ command }) => !known.some((run) => run.command === command))
    .map((sighting): FoundRun => ({
      ...sighting,
      kind: "test",
      languages: [],
      places: runPlaces(sighting.command, facts),
      reports: [],
    }));
  return [...known, ...named].toSorted((one, other) => one.command.order - other.command.order);
}

function judgeFile(file: string, tests: readonly FoundRun[], input: Input): JudgedFile {
  const { turn, runs } = input;
  const changes = turn.changes.filter((change) => change.file === file);
  const lastChange = changes.at(-1) ?? null;
  const after = (lastChange?.order ?? 0) + 1;
  const own = tests.filter((run) => covers(run, file, input));
  const evidence = latestOf(own, after);
  if (evidence.status === "found") return { file, lastChange, evidence };
  const checks = runs.filter((run) => STATIC.has(run.kind) && covers(run, file, input));
  const byHand = runs.filter((run) => run.kind === "run" && ran(run, file, input));
  const isCheckEnough = needIn(file, input) === "tests-or-check" || couldNotRun(own, after);
  const applied = runs.filter((run) => run.kind === "migrate" && MIGRATIONS.test(file) && covers(run, file, input));
  const enough = [
    ...applied,
    ...(isCheckEnough ? checks : []),
    ...byHand.filter((run) => isCheckEnough || input.facts === null || ASSERTING.test(run.command.script ?? "")),
  ].toSorted((one, other) => one.command.order - other.command.order);
  const lints = checks.filter(({ kind }) => kind === "lint");
  const settled = settledByLint(evidence, changes, lints) ?? latestOf(enough, after);
  return { file, lastChange, evidence: settled.status === "found" ? settled : evidence };
}

const STATIC: ReadonlySet<string> = new Set(["types", "lint", "build"]);

/** Folders of migrations: to apply one is to run it. */
const MIGRATIONS = /(?:^|\/)(?:migrations?|migrate|alembic\/versions)\//i;

/** Words with which a program in the command line checks what it finds. */
const ASSERTING = /\bassert|\bexpect\(/;

/** Whether a run by hand was of a file: a browser of what people look at, a compiled program of its sources, else by name. */
function ran(run: FoundRun, file: string, input: Input): boolean {
  const { argv, path, script } = run.command;
  if (!agree(run.languages, languagesOfFile(file))) return false;
  if (run.call.record.kind === "other") return VIEW.test(file);
  const isCompiled = run.languages.length > 0 && !isInterpreter(argv[0] ?? "");
  if (isCompiled) return covers(run, file, input);
  const name = file.slice(file.lastIndexOf("/") + 1);
  const stem = name.replace(/\.\w+$/, "");
  const words = [path, ...argv].map((word) => word.replace(/^.*[\\/]/, ""));
  const isNamed = words.some((word) => word === name || word === stem || word.endsWith(`.${stem}`));
  return isNamed || (stem.length > 2 && script?.includes(stem) === true);
}

/**
 * If a linter failed, the changes made it pass, and nothing else changed the file, earlier tests still count,
 * and if none were run, what the linter asked for needs none.
 */
function settledByLint(
  evidence: Evidence,
  changes: readonly FileChange[],
  lints: readonly FoundRun[],
): Evidence | null {
  if (evidence.status !== "stale" && evidence.status !== "absent") return null;
  const tested = evidence.status === "stale" ? evidence.sighting : null;
  const since = tested?.command.order ?? 0;
  const red = lints.filter(({ outcome, command }) => outcome !== "succeeded" && command.order >= since);
  const isAnswer = (change: FileChange, green: FoundRun) =>
    green.outcome === "succeeded" &&
    green.command.order > change.order &&
    red.some(({ command }) => command.order < change.order);
  const later = changes.filter(({ order }) => order > since);
  const answers = later.map((change) => lints.find((green) => isAnswer(change, green)));
  const sighting = tested ?? answers.at(-1);
  return sighting === undefined || answers.includes(undefined) ? null : { status: "found", sighting };
}

/** Whether tests were tried after the change but the runner never ran one. */
function couldNotRun(tests: readonly FoundRun[], after: number): boolean {
  const tried = tests.filter(({ command }) => command.order >= after);
  return (
    tried.length > 0 &&
    tried.every(
      ({ outcome, reports, call }) =>
        (outcome === "failed" && reports.length === 0) ||
        (outcome === "empty" && NO_SERVICE.test(call.record.resultSnippet)),
    )
  );
}

/** Whether a run looked at a file: the languages agree, and the file lies where it ran, or in the same project. */
export function covers(
  { languages, places }: FoundRun,
  file: string,
  { facts, place }: Pick<TraceInput, "facts" | "place">,
): boolean {
  const own = languagesOfFile(file).filter((language) => language !== "sql");
  if (!agree(languages, own)) return false;
  if (places === null) return true;
  const whole = absolutePath(file, place);
  return places.some((folder) => {
    const [inner, path] = [toProjectPath(`${folder}/x`, place), toProjectPath(file, place)];
    // A run in the project proves nothing outside it, and vice versa.
    if ((inner === null) !== (path === null)) return false;
    if (below(whole, absolutePath(folder, place)) !== null) return true;
    if (inner === null || path === null) return false;
    if (facts === null) return true;
    const tests = projectOf(inner, own, facts);
    return places.length === 1 && (TEST_FOLDER.test(tests) || isAbout(tests, projectOf(path, own, facts)));
  });
}

/** What a change to a file needs: its tests; tests or a static check, if its tests are far away; nothing. */
export type Need = "tests" | "tests-or-check" | "nothing";

/** What a change to a file of code needs in this repository; without facts the repository is assumed to have tests. */
export function needOf(path: string, facts: RepositoryFacts | null): Need {
  const file = inTree(path);
  const languages = languagesOfFile(file);
  if (languages.length === 0 || TRANSLATIONS.test(file)) return "nothing";
  if (facts === null) return "tests";
  if (file.startsWith("/") || /^[A-Za-z]:\//.test(file)) {
    const other = factsOf(file, facts);
    return other === null ? "tests" : needOf(other.path, other.facts);
  }
  const folders = languages.flatMap((language) => facts.testFolders[language] ?? []);
  const project = projectOf(file, languages, facts);
  const commands = facts.commands.filter(
    ({ kind, languages: own }) => kind === "test" && languages.some((language) => own.includes(language)),
  );
  const own = folders.filter((folder) => isAbout(projectOf(`${folder}/x`, languages, facts), project));
  if (own.length === 0) {
    // A command for tests that are not there yet, or tests of the whole repository.
    const mayBe = commands.some(({ folder }) => folder === project) || folders.some(isRootTests);
    return mayBe ? "tests-or-check" : "nothing";
  }
  if (VIEW.test(file) || ENTRY.test(file) || TYPES.test(file)) return "tests-or-check";
  const chores = CHORES.exec(`${folderOf(file)}/`);
  if (chores !== null && !own.some((folder) => isWithin(folder, file.slice(0, chores.index + chores[0].length - 1))))
    return "tests-or-check";
  const isNear = own.length >= MAX_FOLDERS || own.some((folder) => isNearTo(file, folder, project));
  if (isNear) return isSetting(file, project) ? "tests-or-check" : "tests";
  return isScript(file, project) ? "nothing" : "tests-or-check";
}

/** The facts about another repository that a file lies in, and its path there; null if they were not read. */
export function factsOf(
  file: string,
  { elsewhere = [] }: RepositoryFacts,
): { readonly path: string; readonly root: string; readonly facts: RepositoryFacts } | null {
  const [found] = elsewhere.flatMap(({ root, facts }) => {
    const path = below(file, root);
    return path === null ? [] : [{ path, root, facts }];
  });
  return found ?? null;
}

/** Code that is looked at rather than tested: components, pages and layouts. */
const VIEW = new RegExp(
  [
    /\.(?:[jt]sx|vue|svelte|astro|razor)$/,
    /(?:^|\/)(?:components?|pages|views|layouts?|screens|routes)\/.*\.[cm]?[jt]s$/,
    /(?:^|\/)(?:[Cc]omponents?|[Pp]ages|[Vv]iews|[Ll]ayouts?|[Ss]creens|[Ww]idgets|ui|UI)\/.*\.(?:swift|kt|dart)$/,
    /(?:View|ViewController|Screen|Page|Cell|Sheet|Composable|Fragment|Activity)\.(?:swift|kt)$/,
    /_(?:view|screen|page|widget)\.dart$/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** Texts of one language of people, written as code. */
const TRANSLATIONS =
  /(?:^|\/)(?:(?:i18n|l10n|locales?|translations?)\/(?:.+\/)?|lang\/(?=.+\.php$))[a-z]{2}(?:[-_][A-Za-z]{2,4})?(?:\/[^/]+|\.\w+)$/;

/** Folders of programs that serve the work on a repository. */
const CHORES = /(?:^|\/)(?:scripts?|tools|hack|examples?|samples?|demos?|benchmarks?|benches)\//;

/** Entry points of programs: tests do not go through them. */
const ENTRY = /(?:^|\/)(?:[Mm]ain|__main__|Program)\.\w+$/;

/** Modules that hold types, of which nothing is left when the program runs. */
const TYPES = /(?:^|\/)(?:types|interfaces)(?:\/.+)?\.[cm]?ts$|\.(?:types|d)\.[cm]?ts$/;

/** As many as the reader of facts lists: a list of this length may be incomplete. */
const MAX_FOLDERS = 500;

/** The folder of the innermost project of a language that a file lies in; empty for the root. */
export function projectOf(path: string, languages: readonly string[], { projects }: RepositoryFacts): string {
  const file = inTree(path);
  const own = projects.filter(({ folder, language }) => languages.includes(language) && isWithin(file, folder));
  return own.map(({ folder }) => folder).toSorted((one, other) => other.length - one.length)[0] ?? "";
}

/** Languages whose files at the top of a project are its scripts and settings, as `vite.config.ts` and `release.py` are. */
const SCRIPTED: ReadonlySet<string> = new Set(["javascript", "python", "ruby", "php", "perl", "lua", "r"]);

/** Whether a file that no tests are near to is a script at the top of its project. */
function isScript(file: string, project: string): boolean {
  return folderOf(file) === project && languagesOfFile(file).every((language) => SCRIPTED.has(language));
}

/** Whether a file at the top of a project is what a tool reads: `vite.config.ts`, `.eslintrc.cjs`. */
function isSetting(file: string, project: string): boolean {
  return folderOf(file) === project && /(?:^|\/)(?:\.\w+|[\w.-]+\.config)\.\w+$/.test(file);
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf("/")));
}

/** A file of a worktree below the root is the same file of the repository. */
function inTree(path: string): string {
  return path.replace(/^(?:\.\w+\/)?\.?worktrees\/[^/]+\//, "");
}

function isWithin(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

const TEST_FOLDER = /^(?:[Ss]pecs?|__tests__|e2e|t|(?:[\w.-]*[._-])?[Tt]ests?|test[_-]suite|\w+Tests?)$/;

/** Whether the tests of one project are about another: the same one, or one named after it (`App.Tests` for `App`). */
function isAbout(tests: string, project: string): boolean {
  const nameOf = (folder: string) => folder.slice(folder.lastIndexOf("/") + 1).toLowerCase();
  const [, tested] = /^(.*?)[._-]?(?:unit|integration)?[._-]?tests?$/.exec(nameOf(tests)) ?? [];
  return tests === project || tested === nameOf(project);
}

/** A folder of tests at the root is about the whole repository. */
function isRootTests(folder: string): boolean {
  return TEST_FOLDER.test(folder.split("/")[0] ?? "");
}

/** Tests beside, above or below a file: a folder of tests is about all that lies beside it. */
function isNearTo(file: string, folder: string, project: string): boolean {
  if (!isWithin(folder, project)) return true;
  const own = folderOf(file);
  const parts = folder.split("/");
  const first = parts.findIndex((part) => TEST_FOLDER.test(part));
  const scope = parts.slice(0, first === -1 ? undefined : first).join("/");
  return isWithin(own, scope) || (own !== project && isWithin(scope, own));
}
