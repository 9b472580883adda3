import type { TurnTimeline } from "@agent-checkpoint/transcript";
import type { Checkpoint } from "../assemble-checkpoint.ts";
import { listFiles } from "../find-project.ts";
import type { GatheredFacts } from "../get-checkpoint-content.ts";
import type { Moment, StopEvent } from "./events.ts";
import type { StopFacts } from "./stop-facts.ts";

/** A stop that is judged, and not yet recorded. */
export type JudgedStop = PassedStop | WeighedStop;

/** A stop that passes before its turn is read. */
export interface PassedStop {
  readonly facts: StopFacts;
  readonly pass: PassReason;
  readonly promptAt: Date | null;
  readonly content: null;
}

/** A stop whose content is judged. */
export interface WeighedStop {
  readonly facts: StopFacts;
  /** Why the stop passes whatever its content; null if the content decides. */
  readonly pass: PassReason | null;
  /** When the human spoke; null if neither store nor transcript knows. */
  readonly promptAt: Date | null;
  readonly content: GatheredFacts & { readonly timeline: TurnTimeline; readonly checkpoint: Checkpoint };
}

export interface JudgeOptions {
  /** Whether the process is there for this stop alone, so that it may wait for git; false by default. */
  readonly isAlone?: boolean | undefined;
}

/**
 * Judges a stop by the record, the clock and the content, in that order; the turn is read only if the first two leave it
 * open.
 */
export async function judgeStop(facts: StopFacts, options: JudgeOptions = {}): Promise<JudgedStop> {
  const pass = reasonBeforeReading(facts);
  return pass === null ? weigh(facts, pass, options) : { facts, pass, promptAt: facts.promptAt, content: null };
}

/** Judges a stop with its content, also if record or clock let it pass. */
export function weighStop(facts: StopFacts, options: JudgeOptions = {}): Promise<WeighedStop> {
  return weigh(facts, reasonBeforeReading(facts), options);
}

function reasonBeforeReading(facts: StopFacts): PassReason | null {
  return reasonToPass(facts) ?? (facts.promptAt === null ? null : reasonByClock(facts));
}

/** Git runs while the code that judges the content is loaded. */
async function weigh(facts: StopFacts, pass: PassReason | null, { isAlone }: JudgeOptions): Promise<WeighedStop> {
  const listing = listFiles(facts.project, { mayWait: isAlone, since: facts.session?.head });
  const { weighContent } = await import("./weigh-content.ts");
  return weighContent(facts, pass, listing);
}

/** What the agent and our own record say about a stop. */
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
  | ClockReason
  | "background-tasks"
  | "turn-limit"
  | "api-error"
  | "no-transcript"
  | "unknown-transcript";

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

/** Why the stop passes according to the agent and the record; null if clock and content decide. */
export function reasonToPass(stop: RecordedStop): PassReason | null {
  for (const rule of PASSES) {
    const reason = rule(stop);
    if (reason !== null) return reason;
  }
  return null;
}

/** Why the stop passes by the clock; null if its content decides. */
export function reasonByClock({ promptAt, checkpointAt, timerSeconds, now }: StopClock): ClockReason | null {
  const last = Math.max(promptAt?.getTime() ?? 0, checkpointAt?.getTime() ?? 0);
  if (last > 0 && now.getTime() - last < timerSeconds * 1000) return "timer";
  return promptAt === null ? "no-prompt-time" : null;
}

/**
 * Why the stop passes by what runs in the background: only what this turn has started is waited for, and each task once,
 * since a server never ends.
 */
export function reasonByTasks(
  runningTasks: readonly string[],
  waitedFor: readonly string[],
  timeline: TurnTimeline,
): "background-tasks" | null {
  const isOfTurn = (task: string) =>
    !timeline.hasData || !timeline.isWhole || timeline.toolCalls.some((call) => call.resultSnippet.includes(task));
  return runningTasks.some((task) => !waitedFor.includes(task) && isOfTurn(task)) ? "background-tasks" : null;
}

/**
 * Why the stop passes by what could be read of its turn: one that an error of the API ended is no stop, a transcript in
 * another form is of an agent that we do not know, and under quiet rules nobody is asked for what a session without a
 * transcript (`--no-session-persistence`) may well have done.
 */
export function reasonByTranscript(
  timeline: TurnTimeline,
  { event, project }: Pick<StopFacts, "event" | "project">,
): "api-error" | "no-transcript" | "unknown-transcript" | null {
  if (timeline.hasData) return timeline.hasFailed === true ? "api-error" : null;
  if (timeline.reason === "not-a-transcript") return "unknown-transcript";
  const isQuiet = project.rules.ok && project.rules.rules.withoutGit === "silent";
  return isQuiet && timeline.reason === "missing" && event.transcriptPath !== null ? "no-transcript" : null;
}
