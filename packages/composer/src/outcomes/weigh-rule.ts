import type { RuleMode } from "@agent-checkpoint/categories";
import { type Outcome, OUTCOME_NAMES, type OutcomeName } from "@agent-checkpoint/store";

/** The number of cases of each outcome. */
export type OutcomeCounts = Readonly<Record<OutcomeName, number>>;

/** What is known of a rule in a mode. */
export interface RuleWeight {
  readonly counts: OutcomeCounts;
  /** How many answers decide: the last known ones since the mode changed. */
  readonly recent: number;
  /** Of these, the share that shows the rule to be worth asking; null if there are none. */
  readonly worth: Share | null;
}

/** A share with its interval at 90 % confidence. */
interface Share {
  readonly of: number;
  readonly low: number;
  readonly high: number;
}

/** A change of a rule's mode that its outcomes suggest; for one agent only, if the others follow the rule. */
export interface Suggestion {
  readonly mode: RuleMode;
  readonly agent: string | null;
}

/** How many known answers decide about a rule; older ones say little about its use today. */
export const WINDOW = 60;

/** Fewer answers do not move a rule. */
const MIN_TO_DEMOTE = 8;
const MIN_TO_PROMOTE = 20;

/**
 * A rule is no longer asked if its share of noise certainly exceeds this, and asked again if its share of worth certainly
 * reaches it.
 */
const NOISE_BAR = 0.5;
const WORTH_BAR = 0.7;

/**
 * What shows a rule to be worth asking. One in shadow was right if its finding was needed; one that was made more silent
 * comes back if what it asks for is done, said or not. What was tried is neither this nor noise.
 */
const WORTH: Readonly<Record<Exclude<RuleMode, "off">, ReadonlySet<OutcomeName>>> = {
  require: new Set(["done"]),
  advise: new Set(["done"]),
  shadow: new Set(["done", "escaped"]),
};
const NOISE: ReadonlySet<OutcomeName> = new Set(["ignored", "waived"]);

const Z_90 = 1.645;
const Z_95 = 1.96;

/**
 * How certain a further move must be, which takes the one before it back. The bound is looked at after every answer, so
 * in a few of a hundred cases chance moves a rule that lies between the bars, and would move it back as easily.
 */
const Z_FURTHER = 2 * Z_95;

/** The bounds of a share after `hits` of `known`, by Wilson's formula: sound for few cases and for shares near 0 and 1. */
export function wilson(hits: number, known: number, z: number): { readonly low: number; readonly high: number } {
  if (known === 0) return { low: 0, high: 1 };
  const middle = hits + (z * z) / 2;
  const spread = z * Math.sqrt((hits * (known - hits)) / known + (z * z) / 4);
  return { low: (middle - spread) / (known + z * z), high: (middle + spread) / (known + z * z) };
}

/** Counts all outcomes of a rule, the newest first, and weighs those that decide about its mode. */
export function weighRule(outcomes: readonly Pick<Outcome, "outcome" | "mode">[], mode: RuleMode): RuleWeight {
  const counts = Object.fromEntries(OUTCOME_NAMES.map((name) => [name, 0])) as Record<OutcomeName, number>;
  for (const { outcome } of outcomes) counts[outcome] += 1;
  const recent = mode === "off" ? [] : answersInMode(outcomes, mode).slice(0, WINDOW);
  const worth = mode === "off" ? 0 : hits(recent, WORTH[mode]);
  return {
    counts,
    recent: recent.length,
    worth: recent.length === 0 ? null : { of: worth / recent.length, ...wilson(worth, recent.length, Z_90) },
  };
}

/**
 * What the outcomes of a rule, the newest first, say about its mode; null if it may stay.
 *
 * Only the last known answers since the mode last changed count, and a bound of their share decides, not the share. A
 * rule between the two bars is left alone, and a move is taken back only on twice the certainty, so no rule swings.
 */
export function suggestMode(
  outcomes: readonly Pick<Outcome, "outcome" | "mode" | "agent">[],
  mode: RuleMode,
): Suggestion | null {
  if (mode === "off") return null;
  const own = answersInMode(outcomes, mode);
  const z = outcomes.some((one) => !isOfMode(one, mode)) ? Z_FURTHER : Z_95;
  const agents = [...new Set(own.map(({ agent }) => agent))].toSorted();
  if (mode !== "shadow" && agents.length > 1) {
    const answers = agents.map((agent) => own.filter((one) => one.agent === agent).slice(0, WINDOW));
    const isDeaf = answers.map((rows) => rows.length >= MIN_TO_DEMOTE && isNoise(rows, z));
    const isHeard = answers.some((rows, index) => rows.length >= MIN_TO_DEMOTE && isDeaf[index] !== true);
    const deaf = agents.find((_, index) => isDeaf[index]);
    // The rule is not noise: one agent ignores it.
    if (deaf !== undefined && isHeard) return mode === "require" ? { mode: "advise", agent: deaf } : null;
  }
  const recent = own.slice(0, WINDOW);
  if (mode === "require")
    return recent.length >= MIN_TO_DEMOTE && isNoise(recent, z) ? { mode: "advise", agent: null } : null;
  return recent.length >= MIN_TO_PROMOTE && isWorth(recent, mode, z) ? { mode: "require", agent: null } : null;
}

/** The known answers since the mode last changed, of outcomes with the newest first. */
function answersInMode<Row extends Pick<Outcome, "outcome" | "mode">>(
  outcomes: readonly Row[],
  mode: RuleMode,
): readonly Row[] {
  const end = outcomes.findIndex((one) => !isOfMode(one, mode));
  return (end === -1 ? outcomes : outcomes.slice(0, end)).filter(({ outcome }) => outcome !== "unknown");
}

/** Advice that was not given is recorded as found in silence. */
function isOfMode(one: Pick<Outcome, "mode">, mode: RuleMode): boolean {
  return one.mode === mode || (mode === "advise" && one.mode === "shadow");
}

function isNoise(rows: readonly Pick<Outcome, "outcome">[], z: number): boolean {
  return wilson(hits(rows, NOISE), rows.length, z).low > NOISE_BAR;
}

function isWorth(rows: readonly Pick<Outcome, "outcome">[], mode: "advise" | "shadow", z: number): boolean {
  return wilson(hits(rows, WORTH[mode]), rows.length, z).low >= WORTH_BAR;
}

function hits(rows: readonly Pick<Outcome, "outcome">[], names: ReadonlySet<OutcomeName>): number {
  return rows.filter(({ outcome }) => names.has(outcome)).length;
}
