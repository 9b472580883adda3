import type { Outcome as StoredOutcome, StoredStop } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";

/** A stop, and for a block the outcome of everything it asked for. */
export interface CountedStop {
  readonly stop: StoredStop;
  readonly answers: readonly Answer[];
  /** The cost of a block until the end of its turn; undefined while it is unknown. */
  readonly cost?: BlockCost | undefined;
}

/** Seconds and tokens between a block and the end of its turn, each null if unknown. */
export interface BlockCost {
  readonly seconds: number | null;
  readonly tokens: number | null;
}

export type OutcomeCounts = Readonly<Record<Outcome, number>>;

/** How long judging took, in milliseconds; null without stops. */
export interface Latency {
  readonly stops: number;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

/** One rule: how often it was asked for, and the outcomes. */
export interface RuleStats {
  readonly rule: string;
  readonly kind: Answer["kind"];
  readonly asked: number;
  readonly outcomes: OutcomeCounts;
  readonly byAgent: Readonly<Partial<Record<AgentName, OutcomeCounts>>>;
  /** Whether agents mostly ignore it. */
  readonly isNoise: boolean;
}

/** What `checkpoint stats --json` prints, besides the selection. */
export interface Stats {
  readonly stops: number;
  readonly blocked: number;
  readonly passed: number;
  readonly blockReasons: readonly Tally[];
  readonly passReasons: readonly Tally[];
  readonly rules: readonly RuleStats[];
  /** The observations: in how many stops each was made, and in how many it was sent. */
  readonly observations: readonly { readonly check: string; readonly made: number; readonly sent: number }[];
  /** Why outcomes are unknown. */
  readonly unknown: readonly { readonly why: string; readonly count: number }[];
  readonly agents: readonly AgentStats[];
  /** The cost of blocks until the end of their turns: the median of the known ones. */
  readonly cost: BlockCost & { readonly blocks: number };
  readonly messages: { readonly count: number; readonly estimatedTokens: number };
  /** Of all stops, and of those whose content was judged. */
  readonly latency: { readonly all: Latency; readonly judged: Latency };
}

interface Tally {
  readonly reason: string;
  readonly count: number;
}

interface AgentStats {
  readonly agent: AgentName;
  readonly stops: number;
  readonly blocked: number;
  readonly outcomes: OutcomeCounts;
  readonly latency: Latency;
}

const CHARACTERS_PER_TOKEN = 4;

/** Counts stops without canaries; which rules are noise is judged elsewhere. */
export function buildStats(all: readonly CountedStop[], noisy: ReadonlySet<string> = new Set()): Stats {
  const counted = all.filter(({ stop }) => !stop.isCanary);
  const blocks = counted.filter(({ stop }) => stop.decision === "block");
  const passes = counted.filter(({ stop }) => stop.decision === "pass");
  const answers = blocks.flatMap((block) => block.answers);
  const characters = blocks.reduce((sum, { stop }) => sum + (stop.messageLength ?? 0), 0);
  return {
    stops: counted.length,
    blocked: blocks.length,
    passed: passes.length,
    blockReasons: tally(blocks.map(({ stop }) => stop.reason)).map(([reason, count]) => ({ reason, count })),
    passReasons: tally(passes.map(({ stop }) => stop.reason)).map(([reason, count]) => ({ reason, count })),
    rules: rulesOf(blocks, noisy),
    cost: costOf(blocks),
    observations: observationsOf(counted),
    unknown: tally(answers.flatMap(({ why }) => (why === null ? [] : [why]))).map(([why, count]) => ({ why, count })),
    agents: agentsOf(counted),
    messages: { count: blocks.length, estimatedTokens: Math.round(characters / CHARACTERS_PER_TOKEN) },
    latency: {
      all: latencyOf(counted),
      judged: latencyOf(counted.filter(({ stop }) => (stop.trail?.changedFiles ?? null) !== null)),
    },
  };
}

function rulesOf(blocks: readonly CountedStop[], noisy: ReadonlySet<string>): readonly RuleStats[] {
  const asked = blocks.flatMap(({ stop, answers }) => answers.map((answer) => ({ ...answer, agent: stop.agent })));
  return tally(asked.map(({ rule }) => rule)).map(([rule, count]) => {
    const own = asked.filter((answer) => answer.rule === rule);
    const agents = [...new Set(own.map(({ agent }) => agent))].toSorted();
    const outcomes = outcomesOf(own);
    return {
      rule,
      kind: own[0]?.kind ?? "action",
      asked: count,
      outcomes,
      byAgent: Object.fromEntries(
        agents.map((agent) => [agent, outcomesOf(own.filter((answer) => answer.agent === agent))]),
      ),
      isNoise: noisy.has(rule),
    };
  });
}

function outcomesOf(answers: readonly Pick<Answer, "outcome">[]): OutcomeCounts {
  const count = (outcome: Outcome) => answers.filter((answer) => answer.outcome === outcome).length;
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, count(outcome)])) as OutcomeCounts;
}

function observationsOf(counted: readonly CountedStop[]): Stats["observations"] {
  const made = counted.flatMap(({ stop: { observations, decision } }) =>
    [...new Set(observations.map(({ check }) => check))].map((check) => ({ check, isSent: decision === "block" })),
  );
  return tally(made.map(({ check }) => check)).map(([check, count]) => ({
    check,
    made: count,
    sent: made.filter((one) => one.check === check && one.isSent).length,
  }));
}

function agentsOf(counted: readonly CountedStop[]): readonly AgentStats[] {
  return tally(counted.map(({ stop }) => stop.agent)).map(([agent, stops]) => {
    const own = counted.filter(({ stop }) => stop.agent === agent);
    return {
      agent,
      stops,
      blocked: own.filter(({ stop }) => stop.decision === "block").length,
      outcomes: outcomesOf(own.flatMap(({ answers }) => answers)),
      latency: latencyOf(own),
    };
  });
}

function latencyOf(counted: readonly CountedStop[]): Latency {
  const durations = counted.map(({ stop }) => stop.durationMs);
  return { stops: counted.length, medianMs: percentile(durations, 0.5), p95Ms: percentile(durations, 0.95) };
}

function costOf(blocks: readonly CountedStop[]): Stats["cost"] {
  const known = blocks.flatMap(({ cost }) => (cost === undefined || cost.seconds === null ? [] : [cost]));
  const tokens = known.flatMap((cost) => cost.tokens ?? []);
  const seconds = known.flatMap((cost) => cost.seconds ?? []);
  return { blocks: known.length, seconds: percentile(seconds, 0.5), tokens: percentile(tokens, 0.5) };
}

/** The values with how often each occurs, the most frequent first. */
function tally<Value extends string>(values: readonly Value[]): readonly (readonly [Value, number])[] {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([one, count], [other, otherCount]) => otherCount - count || one.localeCompare(other));
}

/** The outcomes of what a checkpoint asked for, in the order of the tables. */
export const OUTCOMES: readonly ["done", "partly", "ignored", "waived", "unknown"] = [
  "done",
  "partly",
  "ignored",
  "waived",
  "unknown",
];

/** `partly`: it was tried, but failed, hid its result, or went stale. */
export type Outcome = (typeof OUTCOMES)[number];

/** What was asked for, and its outcome; `why` is null if that is known. */
export interface Answer extends Pick<StoredOutcome, "rule" | "kind" | "why"> {
  readonly outcome: Outcome;
}

/** The percentile of the numbers for a share, by nearest rank; null without numbers. */
export function percentile(numbers: readonly number[], share: number): number | null {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
