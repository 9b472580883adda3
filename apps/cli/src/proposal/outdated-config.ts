import { type Config, TESTS_ACTION } from "@agent-checkpoint/categories";
import { type RepositoryFacts, runFromRoot, type TestArea, testAreas } from "@agent-checkpoint/repository";
import { nameOfLanguage } from "./language-names.ts";

/** Commands that only work if the repository declares them. */
const DECLARED =
  /^(?:(?:npm|pnpm|yarn|bun) run [\w:@./-]+|(?:npm|pnpm|yarn) test|(?:make|just|task|composer|poe) [\w:.-]+|deno task \S+|mise run \S+|(?:\.\/|scripts?\/|bin\/|tools?\/)\S+)$/;

/** What a config names that the repository no longer has, and which tests came since. */
export function outdatedConfig(
  config: Config,
  { facts, hasPath }: { readonly facts: RepositoryFacts; readonly hasPath: (path: string) => boolean },
): readonly string[] {
  const gone = (config.actions ?? []).flatMap(({ id, steps }) =>
    (steps ?? []).flatMap((step) => {
      const run = typeof step === "string" ? step : step.run;
      const [, folder = "", command = run] = /^cd (\S+) && (.*)$/.exec(run) ?? [];
      if (folder !== "" && !hasPath(folder)) return [`the action ${id} runs in ${folder}, which is gone`];
      return isGone(command, folder, facts, hasPath)
        ? [`the action ${id} runs \`${run}\`, which is declared nowhere`]
        : [];
    }),
  );
  return [...gone, ...newTests(config, facts)];
}

/** The longest text of an instruction: what did not fit when it was written is not missing. */
const MAX_LENGTH = 300;

/** Tests of languages that came after the action `tests` was written, which names the commands of others. */
function newTests({ actions = [] }: Config, facts: RepositoryFacts): readonly string[] {
  const { instruction = "", steps = [] } = actions.find(({ id }) => id === TESTS_ACTION) ?? {};
  const said = [instruction, ...steps.map((step) => (typeof step === "string" ? step : step.run))].join(" ");
  const areas = testAreas(facts).filter(({ runs }) => runs.length > 0);
  const isNamed = ({ ways }: TestArea) => ways.some(({ command }) => said.includes(command));
  if (!areas.some(isNamed)) return [];
  return areas
    .filter((area) => !isNamed(area) && said.length + wordsOf(area).length <= MAX_LENGTH)
    .map((area) => `the action ${TESTS_ACTION} does not name what runs the tests of ${wordsOf(area)}`);
}

function wordsOf({ language, runs }: TestArea): string {
  return `${nameOfLanguage(language)}: \`${runFromRoot(runs[0])}\``;
}

function isGone(
  command: string,
  folder: string,
  { commands }: RepositoryFacts,
  hasPath: (path: string) => boolean,
): boolean {
  if (!DECLARED.test(command)) return false;
  const file = command.replace(/^\.\//, "");
  if (/^(?:\.\/)?[\w.-]+\//.test(command) || command.startsWith("./"))
    return !hasPath(folder === "" ? file : `${folder}/${file}`);
  const plain = (text: string) => text.replace(/^(npm|pnpm|yarn|bun) run /, "$1 ");
  return !commands.some((one) => one.folder === folder && plain(one.command) === plain(command));
}
