import type { AgentName } from "./formats/agent-names.ts";
import type { LateWriting, Transcript } from "./formats/format.ts";
import { FORMATS } from "./formats/registry.ts";
import { lastWordsOf } from "./last-words.ts";
import { LAST_LINES, newTally, readEntriesBackwards } from "./read/backwards.ts";
import { type FileReading, type OpenFile, withRegularFile } from "./read/files.ts";
import { placeSubAgents } from "./turn/calls.ts";
import type { NoDataReason, TurnHints, TurnTimeline } from "./types.ts";

/** What the agent did since the human last spoke; read once `lastMessage` is on disk, or the time allowed for that is over. */
export async function extractToolCallsCurrentTurn(
  transcriptPath: string,
  agentName: AgentName,
  hints: TurnHints = {},
): Promise<TurnTimeline> {
  const { lastMessage } = hints;
  const { late } = FORMATS[agentName];
  if (lastMessage === undefined || late === undefined)
    return extractToolCallsCurrentTurnSync(transcriptPath, agentName, hints);
  const awaited = { ...late, text: lastMessage };
  return toTimeline(await readWhenWritten(transcriptPath, awaited, readerOf(transcriptPath, agentName, hints)));
}

/** What the agent did since the human last spoke, as the transcript has it now. */
export function extractToolCallsCurrentTurnSync(
  transcriptPath: string,
  agentName: AgentName,
  hints: TurnHints = {},
): TurnTimeline {
  return toTimeline(withRegularFile(transcriptPath, readerOf(transcriptPath, agentName, hints)));
}

function readerOf(path: string, agentName: AgentName, hints: TurnHints) {
  return (file: OpenFile): TurnTimeline =>
    file.size === 0 ? noData("empty") : readTimeline({ path, file }, agentName, hints);
}

function toTimeline(reading: FileReading<TurnTimeline>): TurnTimeline {
  return reading.status === "read" ? reading.value : noData(reading.reason);
}

function readTimeline(transcript: Transcript, agentName: AgentName, hints: TurnHints): TurnTimeline {
  const format = FORMATS[agentName];
  const turn = format.readTurn(transcript, hints);
  if (turn.status === "refused") return noData(turn.reason);
  const since = turn.prompt?.timestamp ?? null;
  const subAgents = since === null ? [] : format.readSubAgents(transcript, { since, until: null }, turn.part.starters);
  return {
    hasData: true,
    toolCalls: placeSubAgents(turn.part, subAgents),
    prompt: turn.prompt,
    isWhole: turn.isWhole,
    skippedLines: turn.skippedLines,
    size: transcript.file.size,
    ...(turn.hasFailed === true && { hasFailed: true }),
    ...lastWordsOf(transcript, format, { prompt: turn.prompt, told: hints.lastMessage }),
  };
}

function noData(reason: NoDataReason): TurnTimeline {
  return { hasData: false, toolCalls: [], reason };
}

/** The words that a transcript is to end with, and how often to look. */
export interface AwaitedWords extends LateWriting {
  readonly text: string;
  readonly intervalMs?: number | undefined;
}

/**
 * Reads a transcript once it ends with the agent's last words, or the time is up.
 *
 * Claude Code calls a hook up to 131 ms before its last line is on the disk, and tells the hook what it will say. The
 * same words in an earlier answer do not count.
 */
export async function readWhenWritten<Value>(
  transcriptPath: string,
  { text, lastWords, mayBeMissing, waitMs, intervalMs = 8 }: AwaitedWords,
  read: (file: OpenFile, isWritten: boolean) => Value,
): Promise<FileReading<Value>> {
  const deadline = monotonicMs() + waitMs;
  for (let seen = -1; ;) {
    const left = deadline - monotonicMs();
    const look = withRegularFile(transcriptPath, (file) => {
      const isWritten = file.size !== seen && endsWith(file, text, lastWords);
      seen = file.size;
      return isWritten || left <= 0 ? { value: read(file, isWritten) } : null;
    });
    if (look.status === "refused" && (look.reason !== "missing" || !mayBeMissing || left <= 0)) return look;
    if (look.status === "read" && look.value !== null) return { status: "read", value: look.value.value };
    await new Promise((resolve) => setTimeout(resolve, Math.min(intervalMs, left)));
  }
}

/** The same clock as `performance.now()`, which takes a millisecond to load. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const COMPARED_CHARACTERS = 200;
/** The last answer may be large, and some lines come after it. */
const TAIL = 4 * 1024 * 1024;

function endsWith(file: OpenFile, text: string, lastWords: LateWriting["lastWords"]): boolean {
  const end = text.trim().slice(-COMPARED_CHARACTERS);
  const from = Math.max(0, file.size - TAIL);
  for (const { value } of readEntriesBackwards({ ...file, firstBlock: LAST_LINES }, newTally(), { from })) {
    const words = lastWords(value);
    if (words !== null) return words.trimEnd().endsWith(end);
  }
  return false;
}
