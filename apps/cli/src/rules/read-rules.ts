import { CHECK_IDS, type NamedConfig, type RuleMode, type Rules } from "@agent-checkpoint/categories";
import {
  modesOf,
  type RuleWeight,
  settleOutcomes,
  type Suggestion,
  suggestMode,
  weighRule,
} from "@agent-checkpoint/composer";
import type { Outcome } from "@agent-checkpoint/store";
import { AGENT_NAMES, type AgentName } from "@agent-checkpoint/transcript";
import { memoize } from "../memoize.ts";
import { mainRepositoryOf } from "../sessions/repository-of.ts";
import { withStore } from "../with-store.ts";

/** A rule in force, and what came of it in this repository. */
export interface RuleRow extends RuleWeight {
  readonly rule: string;
  readonly kind: "action" | "check";
  /** The agent whose mode differs from that of the others; null for the others. */
  readonly agent: AgentName | null;
  readonly mode: RuleMode;
  /** Where the mode comes from: a config file, or the default. */
  readonly source: string;
  /** How often it found something, said or not. */
  readonly asked: number;
  readonly suggestion: Suggestion | null;
}

/** The outcomes of a repository, newest first; what is final and not recorded yet is settled first. */
export async function readOutcomes(home: string, now: Date, root: string): Promise<readonly Outcome[]> {
  const outcomes = await withStore(home, async (store) => {
    await settleOutcomes(store, { home, now });
    return store.outcomes.list();
  });
  const repositories = memoize(mainRepositoryOf);
  const here = mainRepositoryOf(root);
  return outcomes.filter(({ repository }) => repository !== null && repositories(repository) === here);
}

/** A row for each rule, and a further one for each agent that has a mode of its own. */
export function weighRules(
  rules: Rules,
  configs: readonly NamedConfig[],
  outcomes: readonly Outcome[],
): readonly RuleRow[] {
  const forAll = modesOf(rules);
  const byAgent = AGENT_NAMES.map((agent) => ({ agent, modes: modesOf(rules, agent) }));
  const ids = [
    ...rules.actions.map(({ id }) => ({ rule: id, kind: "action" as const })),
    ...CHECK_IDS.map((id) => ({ rule: id, kind: "check" as const })),
  ];
  return ids.flatMap(({ rule, kind }) => {
    const source = sourceOf(rule, kind, configs);
    const differing = byAgent.filter(({ modes }) => modes[rule] !== forAll[rule]);
    const own = outcomes.filter((outcome) => outcome.rule === rule);
    const row = (agent: AgentName | null, mode: RuleMode, rows: readonly Outcome[]): RuleRow => ({
      rule,
      kind,
      agent,
      mode,
      source,
      asked: rows.length,
      ...weighRule(rows, mode),
      suggestion: suggestionFor(rows, mode, agent),
    });
    return [
      row(
        null,
        forAll[rule] ?? "off",
        own.filter((outcome) => !differing.some(({ agent }) => agent === outcome.agent)),
      ),
      ...differing.map(({ agent, modes }) =>
        row(
          agent,
          modes[rule] ?? "off",
          own.filter((outcome) => outcome.agent === agent),
        ),
      ),
    ];
  });
}

/** What is suggested of one agent's mode is for that agent. */
function suggestionFor(rows: readonly Outcome[], mode: RuleMode, agent: AgentName | null): Suggestion | null {
  const suggestion = suggestMode(rows, mode);
  return suggestion === null || agent === null ? suggestion : { ...suggestion, agent };
}

function sourceOf(rule: string, kind: RuleRow["kind"], configs: readonly NamedConfig[]): string {
  const giver = configs.findLast(
    ({ config }) =>
      Object.hasOwn(config.modes ?? {}, rule) || (kind === "check" && Object.hasOwn(config.checks ?? {}, rule)),
  );
  return giver?.file ?? "default";
}
