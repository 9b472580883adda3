import type { AgentName } from "./formats/agent-names.ts";
import type { Format, Transcript } from "./formats/format.ts";
import { FORMATS } from "./formats/registry.ts";
import { LAST_LINES, newTally } from "./read/backwards.ts";
import { withRegularFile } from "./read/files.ts";
import type { TranscriptRange } from "./types.ts";

/** What an agent said after a stop, and how many tokens that took. */
export interface AfterStop {
  /** Its replies, in order. */
  readonly replies: readonly string[];
  /** By how many tokens its context grew; null if the agent does not say, or has summarised the context since. */
  readonly tokens: number | null;
}

/** Reads the part of a transcript between a stop and the end of its turn. */
export function readAfterStop(transcriptPath: string, agentName: AgentName, range: TranscriptRange): AfterStop {
  const format = FORMATS[agentName];
  const reading = withRegularFile(transcriptPath, (file): AfterStop => {
    const { located } = format.prepare({ path: transcriptPath, file });
    const endingAt = (size: number): Transcript => ({ path: transcriptPath, file: { ...file, size }, located });
    const entries = [...format.readEntries(endingAt(Math.min(range.to, file.size)), newTally(), range)];
    const replies = entries.map(format.replyText).filter((text) => text !== null);
    return { replies: replies.toReversed(), tokens: growth(format, endingAt(range.from), endingAt(range.to)) };
  });
  return reading.status === "read" ? reading.value : { replies: [], tokens: null };
}

function growth(format: Format, ...views: readonly [before: Transcript, after: Transcript]): number | null {
  const [before, after] = views.map(({ file, ...rest }) =>
    format.readContextUsage({ ...rest, file: { ...file, firstBlock: LAST_LINES } }),
  );
  if (before?.status !== "known" || after?.status !== "known" || after.tokens < before.tokens) return null;
  return after.tokens - before.tokens;
}
