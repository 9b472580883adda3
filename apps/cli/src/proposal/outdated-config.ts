import { type Config, LANGUAGES } from "@agent-checkpoint/categories";
import { type RepositoryFacts, runFromRoot, testAreas } from "@agent-checkpoint/repository";
import { nameOfLanguage } from "./language-names.ts";

/** Commands that only work if the repository declares them. */
const DECLARED =
  /^(?:(?:npm|pnpm|yarn|bun) run [\w:@./-]+|(?:npm|pnpm|yarn) test|(?:make|just|task|composer|poe) [\w:.-]+|deno task \S+|mise run \S+|(?:\.\/|scripts?\/|bin\/|tools?\/)\S+)$/;

/** What a config names that the repository no longer has, and which tests it has that the config does not name. */
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
  return [...gone, ...silentTests(config, facts)];
}

/** Tests of languages that the preset of another language says nothing about. */
function silentTests({ preset, categories = [] }: Config, facts: RepositoryFacts): readonly string[] {
  if (preset === undefined || !LANGUAGES.some(({ id }) => id === preset)) return [];
  const isSaid = (language: string) =>
    presetOf(language) === preset || categories.some(({ id }) => id === `${presetOf(language)}-code`);
  return testAreas(facts)
    .filter(({ language, runs }) => runs.length > 0 && !isSaid(language))
    .map(
      ({ language, runs }) =>
        `the preset ${preset} says nothing about ${nameOfLanguage(language)}, which has tests: \`${runFromRoot(runs[0])}\``,
    );
}

function presetOf(language: string): string {
  return language === "javascript" ? "node" : language;
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
