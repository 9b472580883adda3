import { fstatSync } from "node:fs";
import { advanceRollout, type RolloutState } from "./advance-rollout.ts";
import { parseRolloutBytes } from "./parse-rollout-bytes.ts";
import { type LineCursor, readNewLines } from "./read-new-lines.ts";
import type { RolloutEvent } from "./rollout-event.ts";
import { LARGEST_GROWTH, takeUpRollout } from "./take-up-rollout.ts";
import { type OpenFile, readBlock, withRegularFile } from "@agent-checkpoint/transcript/reading";

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
 * Gives what a rollout tells since a position, or beyond as many bytes as count as known: 0 for all, Infinity for none.
 *
 * A file that is taken up in its middle first tells its thread and, where a turn lasts, that turn so far. A file that
 * was truncated, replaced, or grew by more than a session writes is taken up at its end; what was told of the
 * same turn is not repeated.
 */
export const followRollout = (path: string, since: RolloutPosition | number): RolloutReading => {
  const reading = withRegularFile(path, (file) => {
    const { dev: device, ino: inode } = fstatSync(file.fd);
    const start = isGrown(file, since, { device, inode })
      ? { ...since, cursor: { lineStart: since.lineStart, scannedTo: since.scannedTo }, events: [] }
      : takeUpRollout(file, since);
    const { state, events } = advanceRollout(start.state, newEvents(file, start.cursor));
    return { events: [...start.events, ...events], position: { ...start.cursor, device, inode, state } };
  });
  return reading.status === "read" ? { status: "read", ...reading.value } : reading;
};

/** Whether a file only grew since it was read, so far as its size and one byte can tell. */
const isGrown = (
  file: OpenFile,
  since: RolloutPosition | number,
  { device, inode }: Pick<RolloutPosition, "device" | "inode">,
): since is RolloutPosition =>
  typeof since !== "number" &&
  since.device === device &&
  since.inode === inode &&
  file.size >= since.scannedTo &&
  file.size - since.scannedTo <= LARGEST_GROWTH &&
  isLineStart(file, since.lineStart);

const isLineStart = (file: OpenFile, offset: number): boolean =>
  offset === 0 || readBlock(file, offset - 1, offset).toString("latin1") === "\n";

function* newEvents(file: OpenFile, cursor: LineCursor): Generator<RolloutEvent, void, undefined> {
  for (const line of readNewLines(file, cursor)) {
    const event = parseRolloutBytes(line);
    if (event !== null) yield event;
  }
}
