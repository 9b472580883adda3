import type { ContextMark } from "@agent-checkpoint/store";

/** What is known when it is decided whether work is to be saved. */
export interface TriggerFacts {
  /** How full the context is; null where nobody knows. */
  readonly percent: number | null;
  /** Whether the context was emptied since it was last measured. */
  readonly isCompacted: boolean;
  readonly threshold: number;
  /** When the session's work was last saved for a full context. */
  readonly mark: ContextMark | null;
  readonly now: Date;
}

/** What is decided, and the mark to be kept; undefined leaves it as it is. */
export interface Trigger {
  readonly verdict: "due" | "below_threshold" | "usage_unknown" | "cooldown";
  readonly mark?: ContextMark;
}

/** How far below the threshold a context has to fall before the next crossing counts. */
const HYSTERESIS = 5;
const COOLDOWN_MS = 10 * 60_000;

/** Whether work is to be saved now: once per crossing of the threshold, and not again within ten minutes. */
export function decideTrigger({ percent, isCompacted, threshold, mark, now }: TriggerFacts): Trigger {
  const rearmed = mark !== null && !mark.isArmed ? { mark: { ...mark, isArmed: true } } : {};
  if (percent === null) return { verdict: "usage_unknown", ...(isCompacted ? rearmed : {}) };
  if (percent < Math.max(threshold - HYSTERESIS, threshold / 2)) return { verdict: "below_threshold", ...rearmed };
  if (percent < threshold) return { verdict: "below_threshold" };
  if (mark === null) return { verdict: "due" };
  const isCool = Math.abs(now.getTime() - mark.at.getTime()) >= COOLDOWN_MS;
  // A failure is tried again; a refusal would be one again.
  return isCool && (mark.isArmed || mark.hasFailed) ? { verdict: "due" } : { verdict: "cooldown" };
}

/** The mark after a save; one that had nothing to do leaves the crossing open. */
export function markAfterSave(outcome: string, now: Date): ContextMark | undefined {
  if (outcome === "nothing_to_do") return undefined;
  return { at: now, isArmed: false, hasFailed: outcome.startsWith("failed:") };
}
