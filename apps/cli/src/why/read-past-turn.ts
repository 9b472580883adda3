import { closeSync, openSync, readSync } from "node:fs";
import type { TurnFacts } from "@agent-checkpoint/heuristics";
import { redact } from "@agent-checkpoint/redaction";
import type { StopTrail, StoredStop } from "@agent-checkpoint/store";
import { readTurnAtStop, type TurnAtStop } from "@agent-checkpoint/transcript";

/** Where a turn began, and what can still be read of it. */
export interface PastTurn {
  /** Why the turn cannot be read as it was; null if it can, or if the stop did not read it. */
  readonly problem: Extract<TurnAtStop, { readonly status: "refused" }>["reason"] | null;
  readonly transcriptPath: string | null;
  readonly promptAt: Date | null;
  /** The position of the prompt in the transcript, in bytes and, for JSON lines, as a line number. */
  readonly offset: number | null;
  readonly line: number | null;
  /** The beginning of the prompt. */
  readonly promptText: string | null;
  /** The turn as the stop saw it. */
  readonly timeline: TurnFacts;
}

const MAX_PROMPT_LENGTH = 80;
const MAX_REDACTED_LENGTH = 8192;

/** Reads the turn of a stop from the transcript position in its trail. */
export function readPastTurn({ agent }: StoredStop, trail: StopTrail): PastTurn {
  const { transcriptPath, turnStart, readUpTo, promptAt } = trail;
  const place = { transcriptPath, promptAt, offset: turnStart };
  const unseen = { ...place, line: null, promptText: null, problem: null };
  if (transcriptPath === null || readUpTo === null)
    return { ...unseen, timeline: { hasData: false, toolCalls: [], reason: "missing" } };
  if (turnStart === null) return { ...unseen, timeline: seen([], null) };
  const turn = readTurnAtStop(transcriptPath, agent, { from: turnStart, to: readUpTo });
  if (turn.status === "refused")
    return { ...unseen, problem: turn.reason, timeline: { hasData: false, toolCalls: [], reason: "missing" } };
  return {
    ...place,
    problem: null,
    line: transcriptPath.endsWith(".jsonl") ? lineAt(transcriptPath, turnStart) : null,
    promptText: turn.promptText === null ? null : beginningOf(turn.promptText),
    timeline: seen(turn.toolCalls, turnStart),
  };
}

function seen(toolCalls: TurnFacts["toolCalls"], turnStart: number | null): TurnFacts {
  return { hasData: true, toolCalls, prompt: turnStart === null ? null : { timestamp: null }, isWhole: true };
}

function beginningOf(text: string): string {
  // Redacts more than is shown, because a truncated secret would slip past redaction.
  const words = redact(text.trimStart().slice(0, MAX_REDACTED_LENGTH)).trim().replaceAll(/\s+/g, " ");
  return words.length > MAX_PROMPT_LENGTH ? `${words.slice(0, MAX_PROMPT_LENGTH - 1)}…` : words;
}

const BLOCK = 1024 * 1024;
const NEWLINE = 0x0a;

/** The number of the line that starts at an offset, from 1. */
function lineAt(path: string, offset: number): number {
  const fd = openSync(path, "r");
  try {
    const block = Buffer.alloc(Math.min(BLOCK, Math.max(offset, 1)));
    let lines = 1;
    for (let at = 0; at < offset;) {
      const length = readSync(fd, block, 0, Math.min(block.length, offset - at), at);
      if (length === 0) break;
      for (
        let found = block.indexOf(NEWLINE);
        found !== -1 && found < length;
        found = block.indexOf(NEWLINE, found + 1)
      )
        lines += 1;
      at += length;
    }
    return lines;
  } finally {
    closeSync(fd);
  }
}
