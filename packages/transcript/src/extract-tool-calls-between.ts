import type { AgentName } from "./formats/agent-names.ts";
import type { Format, Period, Transcript } from "./formats/format.ts";
import { FORMATS } from "./formats/registry.ts";
import { newTally, readLinesBackwards } from "./read/backwards.ts";
import { type OpenFile, readBlock, withRegularFile } from "./read/files.ts";
import { dateAt } from "./read/json.ts";
import { placeSubAgents } from "./turn/calls.ts";
import type { ToolCallRecord, TranscriptRange } from "./types.ts";

/**
 * The calls whose lines start in a part of a transcript, whatever the turn, with those of sub-agents at that time.
 *
 * For a caller that keeps a ledger of a session and asks for what it has not seen yet.
 */
export function extractToolCallsBetween(
  transcriptPath: string,
  agentName: AgentName,
  range: TranscriptRange,
): readonly ToolCallRecord[] {
  const reading = withRegularFile(transcriptPath, (file) =>
    readRange({ path: transcriptPath, file }, FORMATS[agentName], { ...range, from: lineStart(file, range.from) }),
  );
  return reading.status === "read" ? reading.value : [];
}

function readRange(transcript: Transcript, format: Format, range: TranscriptRange): readonly ToolCallRecord[] {
  const collector = format.newCollector(transcript, "main");
  // Results may stand after the range; they complete the calls in it.
  const toTheEnd = { from: range.from, to: transcript.file.size };
  let { from } = range;
  for (const entry of format.readEntries(transcript, newTally(), toTheEnd)) {
    collector.take(entry);
    from = Math.min(from, entry.offset);
  }
  const part = collector.part({ from, to: range.to });
  const period = periodOf(transcript, format, range);
  return placeSubAgents(part, period === null ? [] : format.readSubAgents(transcript, period, part.starters));
}

/** A range that begins in a line begins with that line: it was torn when the caller looked last. */
function lineStart(file: OpenFile, from: number): number {
  if (from <= 0 || readBlock(file, from - 1, from)[0] === NEWLINE) return Math.max(0, from);
  for (const { offset } of readLinesBackwards(file, { to: from })) return offset;
  return from;
}

const NEWLINE = 0x0a;

/** A sub-agent worked in a range if it worked after the last entry before it and not after the range's own last. */
function periodOf(transcript: Transcript, format: Format, { from, to }: TranscriptRange): Period | null {
  const until = lastMoment(transcript, format, { from, to });
  if (until === null) return null;
  const since = lastMoment(transcript, format, { from: 0, to: from });
  return { since: since ?? new Date(0), until: to < transcript.file.size ? until : null };
}

function lastMoment(transcript: Transcript, format: Format, range: TranscriptRange): Date | null {
  for (const { value } of format.readEntries(transcript, newTally(), range)) {
    const moment = dateAt(value, "timestamp");
    if (moment !== null) return moment;
  }
  return null;
}
