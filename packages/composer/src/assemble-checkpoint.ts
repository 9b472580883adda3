import { CHECK_IDS, type CheckId, describeProblem, type RuleMode, type Rules } from "@agent-checkpoint/categories";
import {
  type CheckpointContext,
  type CheckpointResult,
  explainTurn,
  type Explanation,
  isQuestion,
  type ProjectPlace,
  type RepositoryFacts,
  type Observation,
  runHeuristics,
  type TurnFacts,
  wantsNoTests,
} from "@agent-checkpoint/heuristics";
import type { MovedRule } from "@agent-checkpoint/store";
import { renderConfigProblem } from "./message/render-config-problem.ts";
import { renderMessage } from "./message/render-message.ts";
import { GENERIC_MESSAGE } from "./message/texts.ts";
import type { LoadedRules } from "./rules/load-rules.ts";

/** All facts that a stop is judged on. */
export interface CheckpointFacts {
  readonly rules: LoadedRules;
  /** The changed files that the stop is about, relative to the root, or why they are not known. */
  readonly changed: ChangedInScope;
  readonly timeline: TurnFacts;
  readonly place: ProjectPlace;
  /** What is known about the repository; if nothing is, it counts as one with tests. */
  readonly repository?: RepositoryFacts | null | undefined;
  readonly workingSlug: string | null;
  /** The implementation plan of the working slug; null if there is none. */
  readonly plan: string | null;
  /** When the turn's opening prompt was sent; null if only the transcript may know. */
  readonly promptAt: Date | null;
  /** When the turn stopped; undefined if unknown. */
  readonly now: Date | undefined;
  /** Whether files changed, and the content of all of them was proven or asked about before. */
  readonly isUnchanged?: boolean;
  /** Whether the configs on disk are no longer those of the turn's prompt, which count. */
  readonly haveRulesChanged?: boolean | undefined;
  /** A sentence that stands first among the observations. */
  readonly remark?: string | null;
  /** Who stops: a rule may be louder for one agent than for another. */
  readonly agent?: string | null | undefined;
  /** The rules that the program has moved to another mode; none by default. */
  readonly moved?: readonly MovedRule[] | undefined;
}

/** The changed files in the scope of the rules, or why they are not known. */
export type ChangedInScope =
  | { readonly ok: true; readonly files: readonly string[] }
  | { readonly ok: false; readonly reason: string; readonly detail: string };

/** The judgement on a stop: the message, and whether it is sent. */
export interface Checkpoint extends Delivery {
  readonly message: string;
  /** The verdict; null without usable rules or changed files. */
  readonly result: CheckpointResult | null;
  /** What the agent did to its own checkpoint; a person is told about it. */
  readonly notices: readonly Observation[];
  /** What went wrong on the way, for the log. */
  readonly problem: string | null;
}

/** Facts that allow a verdict. */
export type KnownFacts = CheckpointFacts & {
  readonly rules: { readonly ok: true };
  readonly changed: { readonly ok: true };
};

/** Judges a stop. Every route, preview and report asks this function and no other. */
export function assembleCheckpoint(facts: KnownFacts): Checkpoint & { readonly result: CheckpointResult };
export function assembleCheckpoint(facts: CheckpointFacts): Checkpoint;
export function assembleCheckpoint(facts: CheckpointFacts): Checkpoint {
  return Object.freeze(judge(facts));
}

function judge(facts: CheckpointFacts): Checkpoint {
  const { rules: loaded, changed, timeline, remark } = facts;
  if (!loaded.ok) {
    const problem = loaded.problems.map(describeProblem).join(" ");
    const message = renderConfigProblem(loaded.problems);
    return { deliver: true, reason: "config-problem", message, result: null, notices: [], problem };
  }
  const { rules } = loaded;
  if (!changed.ok) {
    const problem = `${changed.reason}: ${changed.detail}`;
    const deliver = rules.withoutGit === "deliver";
    const notices = noticesIn(runHeuristics([], timeline, contextOf(facts, rules)));
    return { deliver, reason: "git-unknown", message: GENERIC_MESSAGE, result: null, notices, problem };
  }
  const result = runHeuristics(changed.files, timeline, contextOf(facts, rules));
  return {
    ...(facts.isUnchanged === true
      ? UNCHANGED
      : unlessAsked(decideDelivery(result, rules, modesIn(facts, rules)), facts, rules)),
    message: renderMessage(
      remark == null ? result : { ...result, observations: [remark, ...result.observations] },
      rules,
    ),
    result,
    notices: noticesIn(result),
    problem: timeline.hasData ? null : `transcript ${timeline.reason}`,
  };
}

function noticesIn({ findings }: CheckpointResult): readonly Observation[] {
  return findings.filter(({ check }) => check === "config-changed");
}

const UNCHANGED: Delivery = { deliver: false, reason: "unchanged" };

/**
 * Quiet rules wait while the agent waits for an answer, and after a prompt that wants no tests: what is missing is asked
 * for at a later stop.
 */
function unlessAsked(delivery: Delivery, { timeline }: CheckpointFacts, rules: Rules): Delivery {
  const isWork = delivery.reason === "missing-actions" || delivery.reason === "unresolved-failures";
  if (!delivery.deliver || !isWork || !timeline.hasData || rules.hygieneBlocks) return delivery;
  if (isQuestion(timeline.lastWords ?? "")) return { deliver: false, reason: "question" };
  return delivery.reason === "missing-actions" && wantsNoTests(timeline.prompt?.text ?? "")
    ? { deliver: false, reason: "told-not-to" }
    : delivery;
}

/** How the verdict came about. */
export function explainCheckpoint(facts: KnownFacts): Explanation {
  return explainTurn(facts.changed.files, facts.timeline, contextOf(facts, facts.rules.rules));
}

function contextOf(facts: CheckpointFacts, rules: Rules): CheckpointContext {
  const { place, repository, workingSlug, plan, promptAt, now, haveRulesChanged } = facts;
  const modes = modesIn(facts, rules);
  return { ...place, repository, rules, workingSlug, plan, promptAt, now, haveRulesChanged, modes };
}

function modesIn({ agent, moved }: CheckpointFacts, rules: Rules): Readonly<Record<string, RuleMode>> {
  return modesOf(rules, agent, movedFor(agent ?? null, moved ?? []));
}

/** Why a checkpoint is delivered or stays silent. */
export type DeliveryReason =
  | "missing-actions"
  | "unresolved-failures"
  | "observations"
  | "all-clear"
  | "capture-only"
  | "unchanged"
  | "question"
  | "told-not-to"
  | "git-unknown"
  | "config-problem";

/** Whether a message goes out, and why. */
export interface Delivery {
  readonly deliver: boolean;
  readonly reason: DeliveryReason;
}

/** Whether a verdict is worth a block under these rules. */
export function decideDelivery(
  result: CheckpointResult,
  rules: Rules,
  modes: Readonly<Record<string, RuleMode>> = modesOf(rules),
): Delivery {
  const hasFailure = result.findings.some(({ isFailure }) => isFailure);
  if (result.isCaptureOnly && (rules.captureOnly === "deliver" || !hasFailure))
    return { deliver: rules.captureOnly === "deliver", reason: "capture-only" };
  if (result.actions.length > 0) return { deliver: true, reason: "missing-actions" };
  if (hasFailure) return { deliver: true, reason: "unresolved-failures" };
  const isNothingExpected = result.findings.length === 0 && result.files.withoutRule.length === 0;
  if (result.isAllClear || isNothingExpected) return { deliver: rules.allClear === "deliver", reason: "all-clear" };
  // A failed inspection is a remark, like hygiene; a file without a rule may deserve one too.
  const isReason = ({ check }: Observation) =>
    modes[check] === "require" && (check !== "failed-command" || rules.hygieneBlocks);
  const deliver = result.findings.length === 0 ? rules.hygieneBlocks : result.findings.some(isReason);
  return { deliver, reason: "observations" };
}

/** The mode of every rule for one agent. `moved` are the modes that the program chose; a mode in a config overrules them. */
export function modesOf(
  rules: Rules,
  agent: string | null = null,
  moved: Readonly<Record<string, RuleMode>> = {},
): Readonly<Record<string, RuleMode>> {
  const given = (id: string): RuleMode | undefined => givenMode(rules, id, agent) ?? own(moved, id);
  return Object.fromEntries([
    ...rules.actions.map(({ id }) => [id, given(id) ?? "require"]),
    ...CHECK_IDS.map((id) => [id, rules.checks[id] ? (given(id) ?? modeOfCheck(id, rules)) : "off"]),
  ]);
}

/** The mode that a config gives a rule for an agent; undefined if it is left to the default. */
export function givenMode({ modes }: Pick<Rules, "modes">, id: string, agent: string | null): RuleMode | undefined {
  const mode = own(modes, id);
  return typeof mode === "object" ? own(mode, agent ?? "") : mode;
}

/** The modes for one agent of the rules that the program has moved. */
export function movedFor(agent: string | null, moved: readonly MovedRule[]): Readonly<Record<string, RuleMode>> {
  const own = moved.filter((one) => one.agent === agent);
  return Object.fromEntries(
    [...moved.filter((one) => one.agent === ""), ...own].map(({ rule, mode }) => [rule, mode as RuleMode]),
  );
}

/** An id may be the name of a property that every object has. */
function own<Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** The message names an open action already, so its check is not a further reason. */
function modeOfCheck(id: CheckId, { hygieneBlocks }: Rules): RuleMode {
  if (id === "failed-command") return "require";
  return hygieneBlocks && id !== "verification-gap" ? "require" : "advise";
}
