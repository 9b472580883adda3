import type { Moment, StopEvent } from "./events.ts";

/** What the agent and our own record say of a stop. */
export interface RecordedStop {
  readonly event: Pick<Moment, "isRepeated" | "exemption" | "sessionId">;
  /** Whether this turn was blocked before. */
  readonly wasBlocked: boolean;
  /** Whether a person has snoozed the checkpoint here. */
  readonly isSnoozed: boolean;
}

/** When a turn began, and when it stopped. */
export interface StopClock {
  /** When the human last spoke; null if neither store nor transcript knows. */
  readonly promptAt: Date | null;
  /** When the session was last given a checkpoint. */
  readonly checkpointAt: Date | null;
  readonly timerSeconds: number;
  readonly now: Date;
}

/** Why a stop passes whatever its content. */
export type PassReason =
  | "asked-before"
  | "already-blocked"
  | "snoozed"
  | NonNullable<StopEvent["exemption"]>
  | "no-session"
  | ClockReason;

/** Why a stop passes by the clock. */
export type ClockReason = "timer" | "no-prompt-time";

/** The rules by which a stop passes, in the order they are asked. */
const PASSES: readonly ((stop: RecordedStop) => PassReason | null)[] = [
  ({ event }) => (event.isRepeated === true ? "asked-before" : null),
  ({ wasBlocked }) => (wasBlocked ? "already-blocked" : null),
  ({ isSnoozed }) => (isSnoozed ? "snoozed" : null),
  ({ event }) => event.exemption ?? null,
  ({ event }) => (event.sessionId === null ? "no-session" : null),
];

/** Why the stop passes by what the agent and the record say, or null if clock and content decide. */
export function reasonToPass(stop: RecordedStop): PassReason | null {
  for (const rule of PASSES) {
    const reason = rule(stop);
    if (reason !== null) return reason;
  }
  return null;
}

/** Why the stop passes by the clock, or null if its content decides. */
export function reasonByClock({ promptAt, checkpointAt, timerSeconds, now }: StopClock): ClockReason | null {
  const last = Math.max(promptAt?.getTime() ?? 0, checkpointAt?.getTime() ?? 0);
  if (last > 0 && now.getTime() - last < timerSeconds * 1000) return "timer";
  return promptAt === null ? "no-prompt-time" : null;
}
