import type { ContextMark } from "@agent-checkpoint/store";

/** The facts that decide whether to save. */
export interface TriggerFacts {
  /** How full the context is; null if unknown. */
  readonly percent: number | null;
  /** Whether the context was emptied since it was last measured. */
  readonly isCompacted: boolean;
  readonly threshold: number;
  /** When the session's work was last saved for a full context. */
  readonly mark: ContextMark | null;
  readonly now: Date;
}

/** The decision, and the mark to store; undefined leaves it unchanged. */
export interface Trigger {
  readonly verdict: "due" | "below-threshold" | "usage-unknown" | "cooldown";
  readonly mark?: ContextMark;
}

/** How far below the threshold a context has to fall before the next crossing counts. */
const HYSTERESIS = 5;
const COOLDOWN_MS = 10 * 60_000;

/** Whether to save now: once per crossing of the threshold, and not again within ten minutes. */
export function decideTrigger({ percent, isCompacted, threshold, mark, now }: TriggerFacts): Trigger {
  const rearmed = mark !== null && !mark.isArmed ? { mark: { ...mark, isArmed: true } } : {};
  if (percent === null) return { verdict: "usage-unknown", ...(isCompacted ? rearmed : {}) };
  if (percent < Math.max(threshold - HYSTERESIS, threshold / 2)) return { verdict: "below-threshold", ...rearmed };
  if (percent < threshold) return { verdict: "below-threshold" };
  if (mark === null) return { verdict: "due" };
  const isCool = Math.abs(now.getTime() - mark.at.getTime()) >= COOLDOWN_MS;
  // A failure is tried again; a refusal would be one again.
  return isCool && (mark.isArmed || mark.hasFailed) ? { verdict: "due" } : { verdict: "cooldown" };
}

/** The mark after a save; a save with nothing to do leaves the crossing open. */
export function markAfterSave(outcome: string, now: Date): ContextMark | undefined {
  if (outcome === "nothing-to-do") return undefined;
  return { at: now, isArmed: false, hasFailed: outcome.startsWith("failed:") };
}

/** The threshold, and the problem with the variable, if any. */
export interface Threshold {
  readonly percent: number;
  readonly warning: string | null;
}

/** The threshold in place of a value that is no percentage. */
const FALLBACK = 40;

/**
 * The threshold of the variable `CLAUDE_CONTEXT_THRESHOLD` before that of the config; a value that is no percentage means 40,
 * with a warning.
 */
export function parseThreshold(variable: string | undefined, configured: number): Threshold {
  if (variable === undefined || variable.trim() === "") return { percent: configured, warning: null };
  const text = variable.trim().replace(/%$/, "");
  const value = /^\d{1,2}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= 99) return { percent: value, warning: null };
  return {
    percent: FALLBACK,
    warning: `CLAUDE_CONTEXT_THRESHOLD should be a number from 1 to 99; found ${JSON.stringify(variable.slice(0, 40))}, so ${FALLBACK} is used`,
  };
}
