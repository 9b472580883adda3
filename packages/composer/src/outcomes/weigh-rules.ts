import { CHECK_IDS, type RuleMode, type Rules } from "@agent-checkpoint/categories";
import { type MovedRule, NEWEST_ANSWERS, type Outcome } from "@agent-checkpoint/store";
import { AGENT_NAMES, type AgentName } from "@agent-checkpoint/transcript";
import { modesOf, movedFor } from "../assemble-checkpoint.ts";
import { type RuleWeight, type Suggestion, suggestMode, weighRule } from "./weigh-rule.ts";

/** A rule in force, and what came of it in a repository. */
export interface RuleStanding extends RuleWeight {
  readonly rule: string;
  readonly kind: "action" | "check";
  /** The agent whose mode differs from that of the others; null for the others. */
  readonly agent: AgentName | null;
  readonly mode: RuleMode;
  /** How often it found something, said or not. */
  readonly asked: number;
  readonly suggestion: Suggestion | null;
}

/** What is known of one answer to a rule. */
type Answer = Pick<Outcome, "rule" | "mode" | "agent" | "outcome">;

/**
 * A row for each rule, and a further one for each agent that has a mode of its own; the outcomes are those of one
 * repository, the newest first. Whoever calls a rule noise, or moves it, asks this function.
 */
export function weighRules(
  rules: Rules,
  moved: readonly MovedRule[],
  outcomes: readonly Answer[],
): readonly RuleStanding[] {
  const forAll = modesOf(rules, null, movedFor(null, moved));
  const byAgent = AGENT_NAMES.map((agent) => ({ agent, modes: modesOf(rules, agent, movedFor(agent, moved)) }));
  const ids = [
    ...rules.actions.map(({ id }) => ({ rule: id, kind: "action" as const })),
    ...CHECK_IDS.map((id) => ({ rule: id, kind: "check" as const })),
  ];
  const byRule = Map.groupBy(outcomes, ({ rule }) => rule);
  return ids.flatMap(({ rule, kind }) => {
    const differing = byAgent.filter(({ modes }) => modes[rule] !== forAll[rule]);
    const own = byRule.get(rule) ?? [];
    const row = (agent: AgentName | null, mode: RuleMode = "off"): RuleStanding => {
      const isOwn = (outcome: Answer) =>
        agent === null ? !differing.some((one) => one.agent === outcome.agent) : outcome.agent === agent;
      const rows = own.filter(isOwn);
      // A page reads no more than these, and has to come to the same conclusion.
      const suggestion = suggestMode(own.slice(0, NEWEST_ANSWERS).filter(isOwn), mode);
      return {
        rule,
        kind,
        agent,
        mode,
        asked: rows.length,
        ...weighRule(rows, mode),
        // A suggestion about one agent's mode is for that agent.
        suggestion: suggestion === null || agent === null ? suggestion : { ...suggestion, agent },
      };
    };
    return [row(null, forAll[rule]), ...differing.map(({ agent, modes }) => row(agent, modes[rule]))];
  });
}
