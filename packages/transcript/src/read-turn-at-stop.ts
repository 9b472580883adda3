import type { AgentName } from "./formats/agent-names.ts";
import type { Format, Transcript } from "./formats/format.ts";
import { FORMATS } from "./formats/registry.ts";
import { dateAt } from "./read/json.ts";
import { withRegularFile } from "./read/files.ts";
import { newTally } from "./read/backwards.ts";
import { placeSubAgents } from "./turn/calls.ts";
import type { TranscriptRange, TurnAtStop } from "./types.ts";

/**
 * The turn between these positions, as it was at its stop: with the prompt that opened it, and without anything that was
 * written later, even the result of one of its calls.
 */
export function readTurnAtStop(transcriptPath: string, agentName: AgentName, range: TranscriptRange): TurnAtStop {
  const format = FORMATS[agentName];
  const reading = withRegularFile(transcriptPath, (file): TurnAtStop => {
    if (file.size < range.to) return { status: "refused", reason: "shortened" };
    const { located } = format.prepare({ path: transcriptPath, file });
    const asItWas: Transcript = { path: transcriptPath, file: { ...file, size: range.to }, located };
    return readRange(asItWas, format, { range, isLast: file.size === range.to });
  });
  return reading.status === "read" ? reading.value : reading;
}

function readRange(
  transcript: Transcript,
  format: Format,
  { range, isLast }: { readonly range: TranscriptRange; readonly isLast: boolean },
): TurnAtStop {
  const collector = format.newCollector(transcript, "main");
  let promptText: string | null = null;
  let since: Date | null = null;
  let until: Date | null = null;
  for (const entry of format.readEntries(transcript, newTally(), range)) {
    collector.take(entry);
    const moment = dateAt(entry.value, "timestamp");
    until ??= moment;
    if (entry.offset !== range.from) continue;
    promptText = format.promptText(entry);
    since = moment;
  }
  const part = collector.part(range);
  const period = since === null || until === null ? null : { since, until: isLast ? null : until };
  const subAgents = period === null ? [] : format.readSubAgents(transcript, period, part.starters);
  return { status: "read", promptText, toolCalls: placeSubAgents(part, subAgents) };
}
