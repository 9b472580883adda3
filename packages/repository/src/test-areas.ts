import type { CiCommand } from "./commands/ci-commands.ts";
import { nameWords } from "./commands/programs.ts";
import { shellLines } from "./commands/shell-lines.ts";
import { isSample, isWithin } from "./files/tree.ts";
import type { Language } from "@agent-checkpoint/reports";
import type { LanguageShare, RepositoryCommand, RepositoryFacts } from "./read-repository.ts";

/** How the tests of one language are run here. */
export interface TestArea {
  readonly language: Language;
  readonly files: number;
  readonly share: number;
  readonly testFiles: number;
  /** The commands to run, one for the root or one for each folder; none if no way was found. */
  readonly runs: readonly RepositoryCommand[];
  /** Further folders in which the first command of `runs` is run as well. */
  readonly others: readonly string[];
  /** Every way that runs these tests or a part of them. */
  readonly ways: readonly RepositoryCommand[];
  /** A CI file that runs the first command, or a guide that names it; null if there is none. */
  readonly seenIn: string | null;
}

/** The languages of a repository with how their tests are run, the largest first. */
export function testAreas(facts: RepositoryFacts): readonly TestArea[] {
  const tests = facts.commands
    .filter(({ kind, runs }) => kind === "test" && !/no test specified/i.test(runs ?? ""))
    .map((command) => withoutAbsent(command, facts));
  const shares = [...facts.languages.filter((share) => isNotable(share, facts)), ...languagesToCome(facts, tests)];
  return shares.map((share, index) => areaOf(share, facts, tests, index === 0));
}

/** A script of package.json may test the code of any language, if there is none of its own. */
function withoutAbsent(command: RepositoryCommand, { languages }: RepositoryFacts): RepositoryCommand {
  const isPresent = command.languages.some((one) => languages.some(({ language }) => language === one));
  return isPresent || languages.length === 0 || command.programs.length > 0 ? command : { ...command, languages: [] };
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

function areaOf(
  { language, files, share }: LanguageShare,
  facts: RepositoryFacts,
  tests: readonly RepositoryCommand[],
  isMain: boolean,
): TestArea {
  const testFiles = facts.testFiles[language] ?? 0;
  const named = tests.filter(({ languages }) => languages.includes(language));
  const own = named.filter(({ languages }) => languages.length === 1);
  const score = (command: RepositoryCommand) => scoreOf(command, language, facts);
  // What runs the tests of several languages is named only for one that has no way of its own.
  const specific = own.some((command) => score(command) < MINOR) ? own : named;
  const byScore = (commands: readonly RepositoryCommand[]) =>
    distinct(commands.toSorted((one, other) => score(one) - score(other)));
  // What could test any language is taken for the main one, and for others that have tests and no way of their own.
  const open = tests.filter(({ languages }) => languages.length === 0);
  const isServed = isMain || (testFiles > 0 && specific.length === 0 && language !== "shell");
  const ways = byScore([...specific, ...(isServed ? open : [])]);
  const whole =
    ways.length === 0
      ? []
      : byScore([...named, ...open].filter((command) => command.folder === "" && score(command) < MINOR));
  const best = (folder: string) => ways.find((command) => command.folder === folder);
  const root = best("");
  const inner = bestByFolder(
    ways.filter(
      (command) =>
        command.folder !== "" && specific.includes(command) && !isSample(command.folder) && score(command) < MINOR,
    ),
  );
  const scattered =
    inner.length > 0 ? inner : bestByFolder(ways.filter(({ folder }) => folder !== "" && !isSample(folder)));
  // The folder of a CI step may be a variable, so such a command gives way to one whose folder is known.
  const isWhole = root !== undefined && root.origin !== "ci" && score(root) < MINOR;
  const chosen = root !== undefined && (isWhole || scattered.length === 0) ? [root] : scattered;
  const [first] = chosen;
  const same = chosen.filter(({ command }) => command === first?.command);
  const runs = chosen.length > MAX_RUNS && same.length > 1 ? same.slice(0, 1) : chosen.slice(0, MAX_RUNS);
  return {
    language,
    files,
    share,
    testFiles,
    runs,
    others: runs.length === 1 ? same.slice(1).map(({ folder }) => folder) : [],
    ways: distinct([...ways, ...whole]),
    seenIn: first === undefined ? null : (seenIn(first, facts.ciSteps) ?? seenIn(first, facts.guides)),
  };
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

/** From this score on a command is only a part of the tests, or meant for CI. */
const MINOR = 60;
const CI_BONUS = 5;
const GUIDE_BONUS = 4;

/** The lower the score, the more likely a command is the one that a maintainer would name. */
function scoreOf(command: RepositoryCommand, language: Language, facts: RepositoryFacts): number {
  const bonus =
    seenIn(command, facts.ciSteps) !== null ? CI_BONUS : seenIn(command, facts.guides) !== null ? GUIDE_BONUS : 0;
  return rankOfName(command) * 10 + rankOfSource(command, language) - bonus;
}

function rankOfName({ name, origin, runs }: RepositoryCommand): number {
  const words = nameWords(name.replace(/\.\w+$/, ""));
  const plain = words.filter((word) => !/^(?:run|all|unit|the)$/.test(word)).join("");
  const watches = /--watch(?!=false)|\bwatch\b/.test(runs ?? "") ? 0.3 : 0;
  if (origin !== "declared") return origin === "stack" ? 0.4 : 3;
  if (plain === "") return 0.8;
  if (/^(?:tests?|specs?|runtests?|qunit|rspec|phpunit|pytest)$/.test(plain))
    return (words.includes("unit") || words.includes("all") ? 1 : 0) + watches;
  return /^(?:check|verify|ci|validate|default|qa)$/.test(plain) ? 2 : 8;
}

function rankOfSource({ source, origin, languages }: RepositoryCommand, language: Language): number {
  if (origin === "stack") return 3;
  return languages.includes(language) ? (/ (?:scripts|tasks?)\b/.test(source) ? 0 : 1) : 2;
}

/** The file of the first of these commands that is this one, with other options or not. */
function seenIn({ command, folder }: RepositoryCommand, commands: readonly CiCommand[]): string | null {
  const wanted = plainCall(command);
  const isSame = (one: CiCommand) =>
    (one.folder === folder || one.folder === "") && startsWithWords(plainCall(one.command), wanted);
  return commands.find(isSame)?.source ?? null;
}

function plainCall(command: string): string {
  return (shellLines(command)[0] ?? "")
    .replace(/^(npm|pnpm|yarn|bun) run /, "$1 ")
    .replace(/^\.\//, "")
    .replace(/ (?:--workspace|--test-dir build|\.\/\.\.\.)$/, "");
}

function startsWithWords(line: string, words: string): boolean {
  return line === words || line.startsWith(`${words} `);
}
