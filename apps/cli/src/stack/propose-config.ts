import { type Config, LANGUAGES, type PresetName } from "@agent-checkpoint/categories";
import { folderTree } from "./file-tree.ts";
import { type ProposalRows, proposalRows } from "./proposal/proposal-rows.ts";
import { renderConfig, renderRows } from "./proposal/render-config.ts";
import { readStack } from "./read-stack.ts";
import type { Stack } from "./stack.ts";

/** A config file for a repository, and what it was made from. */
export interface ConfigProposal {
  /** The text of `checkpoint.config.json`. */
  readonly text: string;
  readonly preset: PresetName;
  readonly found: readonly Finding[];
}

/** Something that a repository was seen to have, and where. */
export interface Finding {
  readonly what: string;
  readonly where: string;
}

/** Proposes a config from what a repository has. */
export function proposeConfig(root: string): ConfigProposal {
  return proposalFor(readStack(folderTree(root)));
}

/** The rows of the proposal that a config does not have under the same id, as text to be put into it. */
export function missingRows(root: string, config: Config): string {
  const { actions, categories } = proposalRows(readStack(folderTree(root)));
  const known = {
    actions: new Set(config.actions?.map(({ id }) => id)),
    categories: new Set(config.categories?.map(({ id }) => id)),
  };
  return renderRows({
    actions: actions.filter(({ entry }) => entry.off !== true && !known.actions.has(entry.id)),
    categories: categories.filter(({ entry }) => !known.categories.has(entry.id)),
  });
}

/** The proposal for a stack. */
export function proposalFor(stack: Stack): ConfigProposal {
  const rows = proposalRows(stack);
  return { text: renderConfig(rows), preset: rows.preset, found: findings(stack, rows) };
}

function findings(stack: Stack, { actions }: ProposalRows): readonly Finding[] {
  const projects = stack.projects.map(({ language, detail, where }) => ({
    what: `${LANGUAGES.find(({ id }) => id === language)?.name}${detail === null ? "" : ` (${detail})`}`,
    where,
  }));
  const commands = actions.flatMap(({ entry, where }) => {
    const step = entry.steps?.[0];
    const run = typeof step === "string" ? step : step?.run;
    return run === undefined ? [] : [{ what: `${entry.id}: ${run}`, where }];
  });
  const teleclaude = stack.isTeleClaude ? [{ what: "TeleClaude", where: "teleclaude/" }] : [];
  return [...teleclaude, ...projects, ...commands];
}
