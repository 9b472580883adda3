import { type Config, type PresetName, TESTS_ACTION } from "@agent-checkpoint/categories";
import { detectPreset } from "@agent-checkpoint/composer";
import { readRepository, type RepositoryFacts } from "@agent-checkpoint/repository";
import { type ProposalRows, proposalRows, type ProposedRow } from "./proposal-rows.ts";
import { renderConfig, renderRows } from "./render-config.ts";

/** A config file for a repository, and what it was made from. */
export interface ConfigProposal {
  /** The text of `checkpoint.config.json`. */
  readonly text: string;
  readonly preset: PresetName;
  /** What is asked for, and where each command comes from. */
  readonly found: readonly Finding[];
  /** What the repository has beside its tests: these rules begin in shadow, and nothing is asked until one is promoted. */
  readonly checks: readonly Finding[];
  /** What a person should know of it, in plain words. */
  readonly notes: readonly string[];
}

/** Something that a repository was seen to have, and where. */
export interface Finding {
  readonly what: string;
  readonly where: string;
}

/** The facts of a repository with the proposal that they lead to. */
export async function proposeConfig(
  root: string,
): Promise<ConfigProposal & { readonly facts: RepositoryFacts; readonly rows: ProposalRows }> {
  const facts = await readRepository(root);
  const rows = proposalRows(facts, detectPreset(root));
  return { ...proposalOf(rows), facts, rows };
}

/** The proposal of rows, as text and as findings. */
export function proposalOf(rows: ProposalRows): ConfigProposal {
  const { preset, presetWhere, actions, notes } = rows;
  return {
    text: renderConfig(rows),
    preset,
    found: [
      { what: `preset ${preset}`, where: presetWhere },
      ...actions.filter(({ entry }) => entry.id === TESTS_ACTION).flatMap(finding),
    ],
    checks: actions.filter(({ entry }) => entry.id !== TESTS_ACTION).flatMap(finding),
    notes,
  };
}

/** The rows of the proposal that a config does not have under the same id, as text to be put into it. */
export function missingRows({ actions, categories }: ProposalRows, config: Config): string {
  const isMissing = (known: readonly { readonly id: string }[] | undefined) => {
    const ids = new Set(known?.map(({ id }) => id));
    return ({ entry }: ProposedRow<{ readonly id: string }>) => !ids.has(entry.id);
  };
  return renderRows({
    actions: actions.filter(isMissing(config.actions)),
    categories: categories.filter(isMissing(config.categories)),
  });
}

function finding({ entry, where, said }: ProposalRows["actions"][number]): readonly Finding[] {
  const [step] = entry.steps ?? [];
  const run = typeof step === "string" ? step : step?.run;
  return run === undefined ? [] : [{ what: `${entry.id}: ${said ?? run}`, where }];
}
