import { advanceRollout, type RolloutState, type Turn, UNREAD } from "./advance-rollout.ts";
import { parseRolloutBytes } from "./parse-rollout-bytes.ts";
import { readCurrentTurn } from "./read-current-turn.ts";
import { type LineCursor, LONGEST_LINE, readNewLines, startOfLine } from "./read-new-lines.ts";
import type { RolloutEvent } from "./rollout-event.ts";
import type { OpenFile } from "@agent-checkpoint/transcript/reading";

/** Where the reading of a rollout starts, and what is known before that. */
export interface RolloutStart {
  readonly cursor: LineCursor;
  readonly state: RolloutState;
  /** What there is to tell of the part that is not read. */
  readonly events: readonly RolloutEvent[];
}

/** More than this between two looks was not written by a session. */
export const LARGEST_GROWTH: number = 2 * LONGEST_LINE;

/** Starts after as many bytes as are known, or, after another file in the same place, at the end. */
export const takeUpRollout = (file: OpenFile, known: number | { readonly state: RolloutState }): RolloutStart => {
  const isNear = typeof known === "number" && file.size - known <= LARGEST_GROWTH;
  const scannedTo = isNear ? Math.min(known, file.size) : file.size;
  const cursor = { lineStart: startOfLine(file, scannedTo), scannedTo };
  if (cursor.lineStart === 0) return { cursor, state: UNREAD, events: [] };
  const introduced = advanceRollout(UNREAD, firstEvent(file));
  const { state, events } = advanceRollout(introduced.state, readCurrentTurn(file, cursor.lineStart));
  const before = typeof known === "number" ? null : known.state;
  const isSameThread = before !== null && before.thread?.id === state.thread?.id;
  const ofTurn = state.turn === null ? [] : events.slice(-state.turn.eventCount);
  return {
    cursor,
    state,
    events: isSameThread
      ? ofTurn.slice(eventsTold(state.turn, before.turn))
      : [...introduced.events, ...(state.turn?.end === null ? ofTurn : [])],
  };
};

/** The instructions in the first line can be long. */
const LONGEST_HEAD = 4 * 1024 * 1024;

/** The thread that the first line introduces, as a list of none or one. */
const firstEvent = (file: OpenFile): readonly RolloutEvent[] => {
  const first = readNewLines(
    { ...file, size: Math.min(file.size, LONGEST_HEAD) },
    { lineStart: 0, scannedTo: 0 },
  ).next();
  const event = first.done === true ? null : parseRolloutBytes(first.value);
  return event?.type === "thread" ? [event] : [];
};

/** How many events of a turn were told by the time another one was reached: all, if that came later. */
const eventsTold = (turn: Turn | null, reached: Turn | null): number => {
  const startedAt = turn?.startedAt?.getTime() ?? 0;
  const reachedAt = reached?.startedAt?.getTime() ?? 0;
  if (reachedAt !== startedAt) return reachedAt > startedAt ? Infinity : 0;
  return reached !== null && reached.id === turn?.id ? reached.eventCount : 0;
};
