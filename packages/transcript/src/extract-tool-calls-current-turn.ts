import type { AgentName } from "./formats/agent-names.ts";
import { lastWords } from "./formats/claude/read-turn.ts";
import type { Transcript } from "./formats/format.ts";
import { FORMATS } from "./formats/registry.ts";
import { LAST_LINES, newTally, readEntriesBackwards } from "./read/backwards.ts";
import { type FileReading, type OpenFile, readBlock, withRegularFile } from "./read/files.ts";
import { placeSubAgents } from "./turn/calls.ts";
import type { NoDataReason, TurnHints, TurnTimeline } from "./types.ts";

/** What the agent did since the human last spoke; read once `lastMessage` is on the disk, half a second later at most. */
export const extractToolCallsCurrentTurn = async (
  transcriptPath: string,
  agentName: AgentName,
  hints: TurnHints = {},
): Promise<TurnTimeline> => {
  const { lastMessage } = hints;
  if (lastMessage === undefined) return extractToolCallsCurrentTurnSync(transcriptPath, agentName, hints);
  const lastWords = { text: lastMessage, timeoutMs: LAST_MESSAGE_WAIT_MS };
  return toTimeline(await readWhenWritten(transcriptPath, lastWords, readerOf(transcriptPath, agentName, hints)));
};

const LAST_MESSAGE_WAIT_MS = 500;

/** What the agent did since the human last spoke, as the transcript has it now. */
export const extractToolCallsCurrentTurnSync = (
  transcriptPath: string,
  agentName: AgentName,
  hints: TurnHints = {},
): TurnTimeline => toTimeline(withRegularFile(transcriptPath, readerOf(transcriptPath, agentName, hints)));

const readerOf =
  (path: string, agentName: AgentName, hints: TurnHints) =>
  (file: OpenFile): TurnTimeline =>
    file.size === 0 ? noData("empty") : readTimeline({ path, file }, agentName, hints);

const toTimeline = (reading: FileReading<TurnTimeline>): TurnTimeline =>
  reading.status === "read" ? reading.value : noData(reading.reason);

const readTimeline = (transcript: Transcript, agentName: AgentName, hints: TurnHints): TurnTimeline => {
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
  };
};

const noData = (reason: NoDataReason): TurnTimeline => ({ hasData: false, toolCalls: [], reason });

/** The words that a transcript is to end with, how long to wait for them, and how often to look. */
export interface LastWords {
  readonly text: string;
  readonly timeoutMs: number;
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
  { text, timeoutMs, intervalMs = 8 }: LastWords,
  read: (file: OpenFile, isWritten: boolean) => Value,
): Promise<FileReading<Value>> {
  const deadline = monotonicMs() + timeoutMs;
  for (let seen = -1; ;) {
    const left = deadline - monotonicMs();
    const look = withRegularFile(transcriptPath, (file) => {
      const isWritten = file.size !== seen && endsWith(file, text);
      seen = file.size;
      return isWritten || left <= 0 ? { value: read(file, isWritten) } : null;
    });
    if (look.status === "refused") return look;
    if (look.value !== null) return { status: "read", value: look.value.value };
    await new Promise((resolve) => setTimeout(resolve, Math.min(intervalMs, left)));
  }
}

/** What `performance.now()` says as well, which takes a millisecond to load. */
const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

const COMPARED_CHARACTERS = 200;
/** The last answer may be large, and some lines come after it. */
const TAIL = 4 * 1024 * 1024;

const endsWith = (file: OpenFile, text: string): boolean => {
  const end = text.trim().slice(-COMPARED_CHARACTERS);
  const from = Math.max(0, file.size - TAIL);
  for (const { value } of readEntriesBackwards({ ...file, firstBlock: LAST_LINES }, newTally(), { from })) {
    const words = lastWords(value);
    if (words !== null) return words.trimEnd().endsWith(end);
  }
  // Other agents write before they call: the words are somewhere near the end.
  return readBlock(file, from, file.size).includes(JSON.stringify(end).slice(1, -1));
};
