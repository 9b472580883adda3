import { lastWordsOf } from "./last-words.ts";
import { closeSync } from "node:fs";
import type { AgentName } from "./formats/agent-names.ts";
import type { Format, Transcript, TurnReading } from "./formats/format.ts";
import { FORMATS } from "./formats/registry.ts";
import { FIRST_BLOCK, LAST_LINES, newTally } from "./read/backwards.ts";
import { openRegularFile, refusalOf } from "./read/files.ts";
import { findTurns } from "./turn/find-turns.ts";
import { placeSubAgents } from "./turn/calls.ts";
import type { PastTurn, TurnEnding, TurnHints, TurnPrompt, TurnsEnd } from "./types.ts";

/**
 * Returns the turns of a transcript from the first to the last, each as `extractToolCallsCurrentTurn` would have returned it
 * when it ended.
 *
 * The file is scanned once for its prompts, and each turn is read from where it ends: only one turn at a time is in
 * memory, however large the file. Lines written after a turn's stop do not count for it.
 */
export function* readTurns(
  transcriptPath: string,
  agentName: AgentName,
  hints: Pick<TurnHints, "ownMessages"> = {},
): Generator<PastTurn, TurnsEnd, undefined> {
  const opened = openRegularFile(transcriptPath);
  if (opened.status === "refused") return opened;
  const { value: file } = opened;
  try {
    if (file.size === 0) return { status: "refused", reason: "empty" };
    return yield* turnsOf({ path: transcriptPath, file }, FORMATS[agentName], hints);
  } catch (error) {
    return refusalOf(error);
  } finally {
    closeSync(file.fd);
  }
}

function* turnsOf(
  opened: Transcript,
  format: Format,
  hints: Pick<TurnHints, "ownMessages">,
): Generator<PastTurn, TurnsEnd, undefined> {
  const transcript = format.prepare(opened);
  const { size } = transcript.file;
  const scan = format.newTurnScan(transcript, hints);
  let hasTurns = false;
  for (const { from, to, hints: known } of findTurns(format.readForwards(transcript, scan.mentions), scan, size)) {
    const view = endingAt(transcript, to, to - from);
    const turn = pastTurn(view, format, {
      reading: format.readTurn(view, { ...hints, ...known }),
      isLast: to === size,
    });
    if (turn === null) continue;
    hasTurns = true;
    yield turn;
  }
  if (hasTurns) return { status: "read", size };
  // The prompt stands only in a repeated history, or there is none: the end of the file still shows which.
  const reading = format.readTurn(transcript, hints);
  if (reading.status === "refused") return reading;
  const turn = pastTurn(transcript, format, { reading, isLast: true });
  if (turn !== null) yield turn;
  return { status: "read", size };
}

/** The turn's id may be in lines of the turn before. */
const LINES_BEFORE = 16 * 1024;

/** A transcript as it was when it had this many bytes. */
function endingAt(transcript: Transcript, size: number, length: number): Transcript {
  return {
    ...transcript,
    file: { ...transcript.file, size, firstBlock: Math.min(FIRST_BLOCK, length + LINES_BEFORE) },
  };
}

function pastTurn(
  transcript: Transcript,
  format: Format,
  { reading, isLast }: { readonly reading: TurnReading; readonly isLast: boolean },
): PastTurn | null {
  if (reading.status === "refused" || reading.prompt === null) return null;
  const { prompt, part, isWhole, skippedLines, hasFailed } = reading;
  const { size } = transcript.file;
  const ending = endingOf(transcript, format, prompt);
  const until = isLast ? null : ending.at;
  const subAgents =
    prompt.timestamp !== null && (isLast || until !== null)
      ? format.readSubAgents(transcript, { since: prompt.timestamp, until }, part.starters)
      : [];
  return {
    timeline: {
      hasData: true,
      toolCalls: placeSubAgents(part, subAgents),
      prompt,
      isWhole,
      skippedLines,
      size,
      ...(hasFailed === true && { hasFailed }),
      ...lastWordsOf(transcript, format, { prompt }),
    },
    ending,
    from: prompt.offset,
    to: size,
  };
}

function endingOf(transcript: Transcript, format: Format, prompt: TurnPrompt): TurnEnding {
  const view = { ...transcript, file: { ...transcript.file, firstBlock: LAST_LINES } };
  return format.endingOf(format.readEntries(view, newTally(), { from: prompt.offset, to: view.file.size }), {
    path: transcript.path,
    prompt,
  });
}
