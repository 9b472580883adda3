import type { Language } from "@agent-checkpoint/reports";
import { isSample, isWithin } from "./files/tree.ts";
import { MINOR_SCORE, type Ranking, rankCommands } from "./rank-commands.ts";
import type { LanguageShare, RepositoryCommand, RepositoryFacts } from "./read-repository.ts";

/** How the tests of one language are run here. */
export interface TestArea {
  readonly language: Language;
  readonly files: number;
  readonly share: number;
  readonly testFiles: number;
  /** The commands to run, one for the root or one for each folder; none if no way was found. */
  readonly runs: readonly RepositoryCommand[];
  /** Further folders in which one of `runs` is run as well, where there are many. */
  readonly others: readonly string[];
  /** Every way that runs these tests or a part of them. */
  readonly ways: readonly RepositoryCommand[];
  /** A CI file that runs the first command, or a guide that names it; null if there is none. */
  readonly seenIn: string | null;
}

/** The languages of a repository with how their tests are run, the largest first. */
export function testAreas(facts: RepositoryFacts): readonly TestArea[] {
  const tests = facts.commands.filter(({ kind }) => kind === "test").map((command) => withoutAbsent(command, facts));
  const shares = [...facts.languages.filter((share) => isNotable(share, facts)), ...languagesToCome(facts, tests)];
  const candidates = { facts, tests, ranking: rankCommands(facts) };
  return shares.map((share, index) => areaOf(share, candidates, index === 0));
}

/** A script of package.json may test the code of any language, if there is none of its own. */
function withoutAbsent(command: RepositoryCommand, { languages }: RepositoryFacts): RepositoryCommand {
  const isPresent = command.languages.some((one) => languages.some(({ language }) => language === one));
  return isPresent || languages.length === 0 || !command.isAssumed ? command : { ...command, languages: [] };
}

/** Languages of projects that have a test command and no code yet. */
function languagesToCome(
  { languages, projects }: RepositoryFacts,
  tests: readonly RepositoryCommand[],
): readonly LanguageShare[] {
  const known = new Set(languages.map(({ language }) => language));
  const named = projects.filter(
    ({ folder, language }) =>
      !known.has(language) && !isSample(folder) && tests.some((command) => command.languages.includes(language)),
  );
  return [...new Set(named.map(({ language }) => language))].map((language) => ({ language, files: 0, share: 0 }));
}

const MIN_FILES = 3;
const MIN_SHARE = 0.005;

/** A few stray files, or test data of other languages, are no area of their own. */
function isNotable({ language, files, share }: LanguageShare, facts: RepositoryFacts): boolean {
  const hasProject = facts.projects.some((project) => project.language === language && !isSample(project.folder));
  const sources = files - (facts.testFiles[language] ?? 0);
  return hasProject || language === facts.languages[0]?.language || (sources >= MIN_FILES && share >= MIN_SHARE);
}

/** The tests of a repository, and how their commands rank. */
interface Candidates {
  readonly facts: RepositoryFacts;
  readonly tests: readonly RepositoryCommand[];
  readonly ranking: Ranking;
}

function areaOf(
  { language, files, share }: LanguageShare,
  { facts, tests, ranking }: Candidates,
  isMain: boolean,
): TestArea {
  const testFiles = facts.testFiles[language] ?? 0;
  const isMajor = (command: RepositoryCommand) => ranking.score(command, language) < MINOR_SCORE;
  const byScore = (commands: readonly RepositoryCommand[]) =>
    distinct(commands.toSorted((one, other) => ranking.score(one, language) - ranking.score(other, language)));

  const open = tests.filter(({ languages }) => languages.length === 0);
  const told = withoutAsides(
    tests.filter(({ languages }) => languages.includes(language)),
    facts.testFolders[language] ?? [],
    open.some(({ folder }) => folder === ""),
  );
  const own = told.filter(({ languages }) => languages.length === 1);
  // What runs the tests of several languages is named only for one that has no way of its own.
  const specific = own.some(isMajor) ? own : told;
  // What could test any language is taken for the main one, and for others that have tests and no way of their own.
  const isPart = testFiles >= MIN_FILES && (language !== "shell" || share >= MIN_SHELL_SHARE);
  const isServed = isMain || (isPart && specific.length === 0);
  const ways = byScore([...specific, ...(isServed ? open : [])]);
  const whole = byScore([...told, ...open].filter((command) => command.folder === "" && isMajor(command)));

  const runs = chooseRuns(ways, isMajor);
  const [first] = runs;
  const kinds = runs.filter(({ command }, index) => runs.findIndex((one) => one.command === command) === index);
  const isMany = runs.length > MAX_RUNS && kinds.length < runs.length;
  const named = (isMany ? kinds : runs).slice(0, MAX_RUNS);
  return {
    language,
    files,
    share,
    testFiles,
    runs: named,
    others: isMany ? runs.filter((run) => !named.includes(run)).map(({ folder }) => folder) : [],
    ways: ways.length === 0 ? [] : distinct([...ways, ...whole]),
    seenIn: first === undefined ? null : ranking.seenIn(first),
  };
}

/** A few scripts for tests are part of almost every repository. */
const MIN_SHELL_SHARE = 0.3;

/** The share of the folders with tests that commands in inner folders must reach. */
const MIN_REACH = 0.1;

/** Where one command of the root could run everything, those of folders with hardly a test are about something else. */
function withoutAsides(
  commands: readonly RepositoryCommand[],
  testFolders: readonly string[],
  isRootServed: boolean,
): readonly RepositoryCommand[] {
  const reached = testFolders.filter((tests) => commands.some(({ folder }) => isWithin(tests, folder)));
  return isRootServed && reached.length < testFolders.length * MIN_REACH ? [] : commands;
}

/** The best command at the root, or else the best of each folder. */
function chooseRuns(
  ways: readonly RepositoryCommand[],
  isMajor: (command: RepositoryCommand) => boolean,
): readonly RepositoryCommand[] {
  const root = ways.find(({ folder }) => folder === "");
  const inner = ways.filter(({ folder, languages }) => folder !== "" && !isSample(folder) && languages.length > 0);
  const major = bestByFolder(inner.filter(isMajor));
  const scattered =
    major.length > 0 ? major : bestByFolder(ways.filter(({ folder }) => folder !== "" && !isSample(folder)));
  // The folder of a CI step may be a variable, so such a command gives way to one whose folder is known.
  const isWhole = root !== undefined && root.origin !== "ci" && isMajor(root);
  return root !== undefined && (isWhole || scattered.length === 0) ? [root] : scattered;
}

const MAX_RUNS = 3;

function distinct(commands: readonly RepositoryCommand[]): readonly RepositoryCommand[] {
  const seen = new Set<string>();
  return commands.filter(({ folder, command }) => seen.size < seen.add(`${folder}\0${command}`).size);
}

/** The best way of each folder, without the folders inside of another one. */
function bestByFolder(ways: readonly RepositoryCommand[]): readonly RepositoryCommand[] {
  const folders = [...new Set(ways.map(({ folder }) => folder))];
  const outer = folders.filter((folder) => !folders.some((other) => other !== folder && isWithin(folder, other)));
  return outer.flatMap((folder) => ways.find((command) => command.folder === folder) ?? []);
}

/** A command as it is typed at the root. */
export function runFromRoot(command: { readonly command: string; readonly folder: string } | undefined): string | null {
  if (command === undefined) return null;
  const { folder, command: run } = command;
  return folder === "" ? run : `cd ${/^[\w@./+-]+$/.test(folder) ? folder : `"${folder}"`} && ${run}`;
}
