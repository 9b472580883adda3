import { parseRolloutBytes } from "./parse-rollout-bytes.ts";
import type { TurnEvent } from "./rollout-event.ts";
import { type OpenFile, readLinesBackwards } from "@agent-checkpoint/transcript/reading";

/** No turn is that long: the longest of 740 sessions has 4 MB. */
const LONGEST_TURN = 64 * 1024 * 1024;

/** Most turns are found in a first block of this size. */
const FIRST_BLOCK = 128 * 1024;

/**
 * Gives the events of the last turn before a line, in their order, reading no more than that turn.
 *
 * Rollouts that do not tell where turns begin are read to their start.
 */
export const readCurrentTurn = (file: OpenFile, lineStart: number): readonly TurnEvent[] => {
  const events: TurnEvent[] = [];
  const range = { from: Math.max(0, lineStart - LONGEST_TURN), to: lineStart };
  for (const { bytes } of readLinesBackwards(file, range, FIRST_BLOCK)) {
    const event = parseRolloutBytes(bytes);
    if (event === null || event.type === "thread") continue;
    events.push(event);
    if (event.type === "turn-started") break;
  }
  return events.toReversed();
};
