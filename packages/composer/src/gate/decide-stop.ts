import type { StopEvent } from "./events.ts";

/** What is known of a stop before its content is looked at. */
export interface StopState {
  readonly event: StopEvent;
  /** Whether this turn was blocked before, by our own record. */
  readonly wasBlocked: boolean;
  /** Whether a person has said that stops here are let go for a while. */
  readonly isSnoozed: boolean;
  /** When the human last spoke; null when neither store nor transcript tells. */
  readonly promptAt: Date | null;
  /** When this turn was last given a checkpoint. */
  readonly checkpointAt: Date | null;
  readonly timerSeconds: number;
  readonly now: Date;
}

/** Why a stop passes without its content being looked at. */
export type PassReason =
  | "stop-hook-active"
  | "already-blocked"
  | "snoozed"
  | NonNullable<StopEvent["exemption"]>
  | "no-session"
  | "timer"
  | "no-prompt-time";

/** The rules by which a stop passes, in the order they are asked. */
const PASSES: readonly ((state: StopState) => PassReason | null)[] = [
  ({ event }) => (event.isRepeated ? "stop-hook-active" : null),
  ({ wasBlocked }) => (wasBlocked ? "already-blocked" : null),
  ({ isSnoozed }) => (isSnoozed ? "snoozed" : null),
  ({ event }) => event.exemption,
  ({ event }) => (event.sessionId === null ? "no-session" : null),
  (state) => (isTooSoon(state) ? "timer" : null),
  ({ promptAt }) => (promptAt === null ? "no-prompt-time" : null),
];

/** Why the stop passes, or null when its content decides. */
export function reasonToPass(state: StopState): PassReason | null {
  for (const rule of PASSES) {
    const reason = rule(state);
    if (reason !== null) return reason;
  }
  return null;
}

function isTooSoon({ promptAt, checkpointAt, timerSeconds, now }: StopState): boolean {
  const last = Math.max(promptAt?.getTime() ?? 0, checkpointAt?.getTime() ?? 0);
  return last > 0 && now.getTime() - last < timerSeconds * 1000;
}
