import { FORMATS } from "./formats/registry.ts";
import type { Transcript } from "./formats/format.ts";
import { type FileReading, type OpenFile, withRegularFile } from "./read/open-regular-file.ts";
import { readWhenWritten } from "./read-when-written.ts";
import { placeSubAgents } from "./turn/place-sub-agents.ts";
import type { AgentName, NoDataReason, TurnHints, TurnTimeline } from "./types.ts";

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
