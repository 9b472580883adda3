import type { JudgedTurn } from "./replay-file.ts";

/** One stop of a replayed file, as `checkpoint replay --stops` prints it. */
export interface StopLine {
  readonly file: string;
  /** The turn's number in the file, from 1. */
  readonly turn: number;
  /** Where the line of the turn's opening prompt starts, in bytes. */
  readonly promptOffset: number;
  readonly verdict: "block" | "pass";
  readonly reason: string;
  /** Ids of the actions that are missing. */
  readonly actions: readonly string[];
  /** Ids of the calls that count as evidence. */
  readonly evidence: readonly string[];
  readonly changedFiles: readonly string[];
  /** Why, in the words of the message. */
  readonly observations: readonly string[];
}

/** The line of a turn that ended with a stop; null for any other. */
export function stopLine(file: string, { number, turn, judgement }: JudgedTurn): StopLine | null {
  if (judgement.kind === "no-stop") return null;
  const at = { file, turn: number, promptOffset: turn.from };
  if (judgement.kind === "too-soon")
    return { ...at, verdict: "pass", reason: "timer", actions: [], evidence: [], changedFiles: [], observations: [] };
  const { result, changedFiles, reason, kind } = judgement;
  return {
    ...at,
    verdict: kind === "blocked" ? "block" : "pass",
    reason,
    actions: result.actions.map(({ id }) => id),
    evidence: result.evidence,
    changedFiles,
    observations: result.observations,
  };
}
