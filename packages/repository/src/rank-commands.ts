import type { Language } from "@agent-checkpoint/reports";
import type { CiCommand } from "./commands/ci-commands.ts";
import { languagesOfName, nameWords } from "./commands/programs.ts";
import { shellLines } from "./commands/shell-lines.ts";
import type { RepositoryCommand, RepositoryFacts } from "./read-repository.ts";

/** How likely commands are the ones that a maintainer would name. */
export interface Ranking {
  /** The lower, the more likely. */
  score(command: RepositoryCommand, language: Language): number;
  /** The CI file that runs a command, else the guide that names it; null if there is none. */
  seenIn(command: RepositoryCommand): string | null;
}

/** From this score on a command is only a part of the tests, or meant for CI. */
export const MINOR_SCORE = 60;

const GUIDE_BONUS = 4;
const CI_BONUS = 5;
/** A task that CI runs comes before one of a slightly better name that it does not: `tox` before `make test`. */
const CI_BONUS_DECLARED = 7;

/**
 * Ranks commands by their name, then by who declares them.
 * CI and guides decide between equals, and CI before guides: what it runs is known to work.
 */
export function rankCommands({ ciSteps, guides }: RepositoryFacts): Ranking {
  const inCi = lookUp(ciSteps);
  const inGuides = lookUp(guides);
  return {
    score: (command, language) => {
      const byCi = command.origin === "declared" ? CI_BONUS_DECLARED : CI_BONUS;
      const bonus = inCi(command) !== null ? byCi : inGuides(command) !== null ? GUIDE_BONUS : 0;
      return rankOfName(command, language) * 10 + rankOfSource(command, language) - bonus;
    },
    seenIn: (command) => inCi(command) ?? inGuides(command),
  };
}

/** Scripts with the name of a runner are as good as one called `test`. */
const TEST_NAME = /^(?:tests?|specs?|runtests?|qunit|rspec|phpunit|pytest|jest|vitest|mocha)$/;
const CHECK_NAME = /^(?:check|verify|ci|validate|default|qa)$/;

/** A script for CI takes its settings from there. */
const CI_SCRIPT = /^(?:\S*\/)?ci\/[^/ ]+$/;

/** Tests in a browser, which take long and need one. */
const IN_BROWSER = /\b(?:cypress|playwright|puppeteer|e2e)\b/;

function rankOfName({ name, origin, runs, source }: RepositoryCommand, language: Language): number {
  if (origin !== "declared") return origin === "stack" ? 0.4 : 3;
  const words = nameWords(name.replace(/\.\w+$/, ""));
  const isLanguage = (word: string) => !TEST_NAME.test(word) && languagesOfName(word).includes(language);
  const plain = words.filter((word) => !/^(?:run|all|unit|with)$/.test(word) && !isLanguage(word)).join("");
  if (plain === "") return 0.8;
  // Named where the plain one watches for changes and never ends.
  if (/^tests?(?:ci|once)$/.test(plain)) return words.some(isLanguage) ? 8 : 1.2;
  if (!TEST_NAME.test(plain)) return CHECK_NAME.test(plain) ? 2 : 8;
  const isPart = words.includes("unit") || words.includes("all");
  const isWatching = /\b(?:jest|vitest|mocha|ava|karma)\b.*(?: watch\b|--watch(?!=false))/.test(runs ?? "");
  const isMore = (isWatching || CI_SCRIPT.test(source) ? 1.5 : 0) + (isBrowserToo(runs ?? "") ? 1.3 : 0);
  return (isPart ? 1 : 0) + (words.some(isLanguage) ? 0.75 : 0) + isMore + (/^tests?$/.test(plain) ? 0 : 0.05);
}

/** Whether a script runs other tests and then those in a browser. */
function isBrowserToo(body: string): boolean {
  const parts = body.split("&&");
  return parts.some((part) => IN_BROWSER.test(part)) && parts.some((part) => !IN_BROWSER.test(part));
}

/** The language's own manifest, then other files of that language, then what could be about any, then the tool itself. */
function rankOfSource({ source, origin, languages }: RepositoryCommand, language: Language): number {
  if (origin === "stack") return 3;
  if (!languages.includes(language)) return 2;
  return / (?:scripts|tasks?)\b/.test(source) ? 0 : 1;
}

/** Finds the file of the first of these commands that is a given one, with other options or not. */
function lookUp(commands: readonly CiCommand[]): (command: RepositoryCommand) => string | null {
  const lines = commands.map(({ command, folder, source }) => ({ call: plainCall(command), folder, source }));
  const known = new Map<string, string | null>();
  return ({ command, folder }) => {
    const key = `${folder}\0${command}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const wanted = plainCall(command);
    const isSame = ({ call }: { readonly call: string }) => call === wanted || call.startsWith(`${wanted} `);
    const found = lines.find((line) => (line.folder === folder || line.folder === "") && isSame(line))?.source ?? null;
    known.set(key, found);
    return found;
  };
}

/** A command without the words that people leave out. */
function plainCall(command: string): string {
  return (shellLines(command)[0] ?? "")
    .replace(/^(npm|pnpm|yarn|bun) run /, "$1 ")
    .replace(/^\.\//, "")
    .replace(/(?: (?:--workspace|--all-features|--test-dir build|\.\/\.\.\.))+$/, "");
}
