import type { ToolInterval } from "@agent-checkpoint/snapshots";
import { type AgentName, type PastTurn, readTurns, type ToolCallRecord } from "@agent-checkpoint/transcript";
import { mayOutlive } from "./may-outlive.ts";

/** When the tools of one session ran, as its transcript tells. */
export interface SessionActivity {
  /** When its first and its last prompt were written; null where there is none. */
  readonly first: Date | null;
  readonly last: Date | null;
  readonly intervals: readonly ToolInterval[];
}

/** Reads when the tools of a session ran; null where the transcript cannot be read or does not tell times. */
export function readSessionActivity(transcriptPath: string, agent: AgentName): SessionActivity | null {
  const turns = readTurns(transcriptPath, agent);
  const times: TurnTime[] = [];
  for (;;) {
    const next = turns.next();
    if (next.done === true) {
      if (next.value.status === "refused" && next.value.reason !== "empty") return null;
      return { first: times[0]?.from ?? null, last: times.at(-1)?.from ?? null, intervals: intervalsOf(times) };
    }
    const time = timeOf(next.value);
    if (time === null) return null;
    times.push(time);
  }
}

/** When a turn began and ended, and what is known of its tools. */
interface TurnTime {
  readonly from: Date;
  /** Null where the turn has no end. */
  readonly to: Date | null;
  readonly hasWorked: boolean;
  readonly hasLeftRunning: boolean;
}

/** The time of a turn; null where its times are not told. */
function timeOf({ timeline, ending }: PastTurn): TurnTime | null {
  const { prompt, toolCalls, isWhole } = timeline;
  const from = prompt?.timestamp ?? null;
  const moments = toolCalls.map(({ timestamp }) => timestamp?.getTime() ?? null);
  if (from === null || !isWhole || moments.includes(null)) return null;
  const isFinished = ending.kind !== "unfinished";
  if (isFinished && ending.at === null) return null;
  const working = toolCalls.filter(({ kind }) => kind !== "read" && kind !== "search");
  return {
    from,
    to: isFinished ? new Date(Math.max(ending.at?.getTime() ?? 0, ...moments.map(Number))) : null,
    hasWorked: working.length > 0,
    hasLeftRunning: working.some(runsOn),
  };
}

/**
 * The turns in which something could change, from the prompt to the last word: where a call ended is not written, so
 * that the time between two calls counts too. A turn without an end was over when the next one began.
 */
function intervalsOf(times: readonly TurnTime[]): readonly ToolInterval[] {
  return times.flatMap(({ from, to, hasWorked, hasLeftRunning }, index) => {
    if (!hasWorked && to !== null) return [];
    return [{ from, to: hasLeftRunning ? null : (to ?? times[index + 1]?.from ?? null) }];
  });
}

/** Whether a call may have gone on when its turn had ended: nothing is known of its end, or it left something behind. */
function runsOn({ hadError, rejected, kind, command, inputData }: ToolCallRecord): boolean {
  if (rejected) return false;
  return (
    hadError === null ||
    (command !== null && mayOutlive(command)) ||
    (kind === "agent" && inputData["run_in_background"] === true)
  );
}
