import { fstatSync } from "node:fs";
import { type OpenFile, readBlock, withRegularFile } from "../../read/files.ts";
import { readLinesBackwards } from "../../read/backwards.ts";
import { parseRolloutBytes, type RolloutEvent, type TurnEvent } from "./rollout-events.ts";
import { advanceRollout, type RolloutState, type Turn, UNREAD } from "./rollout-state.ts";

/** Larger than any line that could matter: a message of a human is at most a million characters. */
export const MAX_LINE_BYTES: number = 32 * 1024 * 1024;

/** How far a rollout was read and what is known from it: a small value, whatever the size of the file. */
export interface RolloutPosition extends Readonly<LineCursor> {
  readonly device: number;
  readonly inode: number;
  readonly state: RolloutState;
}

/** What is new in a rollout, or why it could not be read. */
export type RolloutReading =
  | { readonly status: "read"; readonly events: readonly RolloutEvent[]; readonly position: RolloutPosition }
  | { readonly status: "refused"; readonly reason: "missing" | "unreadable" };

/**
 * Returns the events of a rollout since a position, or after as many bytes as are known already: 0 for all, Infinity for none.
 *
 * A file that is picked up in its middle first yields its thread and, if a turn is under way, that turn so far. A file that
 * was truncated, replaced, or grew by more than a session writes is picked up at its end; events already returned for the
 * same turn are not repeated.
 */
export function followRollout(path: string, since: RolloutPosition | number): RolloutReading {
  const reading = withRegularFile(path, (file) => {
    const { dev: device, ino: inode } = fstatSync(file.fd);
    const start = isGrown(file, since, { device, inode })
      ? { ...since, cursor: { lineStart: since.lineStart, scannedTo: since.scannedTo }, events: [] }
      : takeUpRollout(file, since);
    const { state, events } = advanceRollout(start.state, newEvents(file, start.cursor));
    return { events: [...start.events, ...events], position: { ...start.cursor, device, inode, state } };
  });
  return reading.status === "read" ? { status: "read", ...reading.value } : reading;
}

/** Whether a file only grew since it was read, as far as its size and one byte show. */
function isGrown(
  file: OpenFile,
  since: RolloutPosition | number,
  { device, inode }: Pick<RolloutPosition, "device" | "inode">,
): since is RolloutPosition {
  return (
    typeof since !== "number" &&
    since.device === device &&
    since.inode === inode &&
    file.size >= since.scannedTo &&
    file.size - since.scannedTo <= MAX_GROWTH &&
    isLineStart(file, since.lineStart)
  );
}

function isLineStart(file: OpenFile, offset: number): boolean {
  return offset === 0 || readBlock(file, offset - 1, offset).toString("latin1") === "\n";
}

function* newEvents(file: OpenFile, cursor: LineCursor): Generator<RolloutEvent, void, undefined> {
  for (const line of readNewLines(file, cursor)) {
    const event = parseRolloutBytes(line);
    if (event !== null) yield event;
  }
}

/** Where the reading of a rollout starts, and what is known before that. */
export interface RolloutStart {
  readonly cursor: LineCursor;
  readonly state: RolloutState;
  /** The events of the part that is not read. */
  readonly events: readonly RolloutEvent[];
}

/** More than this between two looks was not written by a session. */
export const MAX_GROWTH: number = 2 * MAX_LINE_BYTES;

/** Starts after as many bytes as are known, or, after another file in the same place, at the end. */
export function takeUpRollout(file: OpenFile, known: number | { readonly state: RolloutState }): RolloutStart {
  const isNear = typeof known === "number" && file.size - known <= MAX_GROWTH;
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
}

/** The instructions in the first line can be long. */
const MAX_HEAD_BYTES = 4 * 1024 * 1024;

/** The thread that the first line introduces, as a list of none or one. */
function firstEvent(file: OpenFile): readonly RolloutEvent[] {
  const first = readNewLines(
    { ...file, size: Math.min(file.size, MAX_HEAD_BYTES) },
    { lineStart: 0, scannedTo: 0 },
  ).next();
  const event = first.done === true ? null : parseRolloutBytes(first.value);
  return event?.type === "thread" ? [event] : [];
}

/** How many events of a turn were returned by the time another one was reached: all, if that came later. */
function eventsTold(turn: Turn | null, reached: Turn | null): number {
  const startedAt = turn?.startedAt?.getTime() ?? 0;
  const reachedAt = reached?.startedAt?.getTime() ?? 0;
  if (reachedAt !== startedAt) return reachedAt > startedAt ? Infinity : 0;
  return reached !== null && reached.id === turn?.id ? reached.eventCount : 0;
}

/** No turn is that long: the longest of 740 sessions has 4 MB. */
const MAX_TURN_BYTES = 64 * 1024 * 1024;

/** Most turns are found in a first block of this size. */
const FIRST_BLOCK = 128 * 1024;

/**
 * Returns the events of the last turn before a line, in order, reading no more than that turn.
 *
 * Rollouts that do not show where turns begin are read to their start.
 */
export function readCurrentTurn(file: OpenFile, lineStart: number): readonly TurnEvent[] {
  const events: TurnEvent[] = [];
  const range = { from: Math.max(0, lineStart - MAX_TURN_BYTES), to: lineStart };
  for (const { bytes } of readLinesBackwards(file, range, FIRST_BLOCK)) {
    const event = parseRolloutBytes(bytes);
    if (event === null || event.type === "thread") continue;
    events.push(event);
    if (event.type === "turn-started") break;
  }
  return events.toReversed();
}

/** How far a growing file was read: an unfinished line is remembered by where it starts, not by its bytes. */
export interface LineCursor {
  /** Where the first line that has not been returned yet starts. */
  lineStart: number;
  /** Up to where no further line end was found. */
  scannedTo: number;
}

const BLOCK: number = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Returns the lines that were finished since the cursor's last position, and advances it.
 *
 * No byte is looked at more than twice, however small the pieces are in which a line is written. Lines beyond the
 * limit are passed over.
 */
export function* readNewLines(
  file: OpenFile,
  cursor: LineCursor,
  blockSize: number = BLOCK,
): Generator<Buffer, void, undefined> {
  while (cursor.scannedTo < file.size) {
    const start = cursor.scannedTo;
    const block = readBlock(file, start, Math.min(start + blockSize, file.size));
    if (block.length === 0) return;
    for (let end = block.indexOf(NEWLINE); end !== -1; end = block.indexOf(NEWLINE, end + 1)) {
      const { lineStart } = cursor;
      cursor.lineStart = start + end + 1;
      if (start + end - lineStart > MAX_LINE_BYTES) continue;
      yield lineStart >= start ? block.subarray(lineStart - start, end) : readBlock(file, lineStart, start + end);
    }
    cursor.scannedTo = start + block.length;
  }
}

/** Where the line with the last byte before `end` starts; `end` itself if that byte ends a line. */
export function startOfLine(file: OpenFile, end: number, blockSize: number = BLOCK): number {
  for (let blockEnd = end; blockEnd > 0; blockEnd -= blockSize) {
    const start = Math.max(0, blockEnd - blockSize);
    const newline = readBlock(file, start, blockEnd).lastIndexOf(NEWLINE);
    if (newline !== -1) return start + newline + 1;
  }
  return 0;
}
