import type { Config } from "@agent-checkpoint/categories";
import type { RepositoryFacts } from "@agent-checkpoint/repository";
import type { ProposalRows } from "./proposal-rows.ts";

/** Commands that only work if the repository declares them. */
const DECLARED =
  /^(?:(?:npm|pnpm|yarn|bun) run [\w:@./-]+|(?:npm|pnpm|yarn) test|(?:make|just|task|composer|poe) [\w:.-]+|deno task \S+|mise run \S+|(?:\.\/|scripts?\/|bin\/|tools?\/)\S+)$/;

/** What a config names that the repository no longer has, and which tests it has that the config does not name. */
export function outdatedConfig(
  config: Config,
  {
    facts,
    rows,
    hasPath,
  }: { readonly facts: RepositoryFacts; readonly rows: ProposalRows; readonly hasPath: (path: string) => boolean },
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
  const known = new Set(config.actions?.map(({ id }) => id));
  const came = rows.actions.flatMap(({ entry: { id, off, steps }, where }) => {
    const [step] = steps ?? [];
    const isNew = id.startsWith("test-") && off !== true && !known.has(id);
    return isNew && typeof step === "object" ? [`${where} has tests that no action runs: \`${step.run}\``] : [];
  });
  return [...gone, ...came];
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
