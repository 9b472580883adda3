import { FORMATS } from "./formats/registry.ts";
import type { Transcript } from "./formats/format.ts";
import { withRegularFile } from "./read/open-regular-file.ts";
import { placeSubAgents } from "./turn/place-sub-agents.ts";
import type { AgentName, NoDataReason, TurnHints, TurnTimeline } from "./types.ts";

/** What the agent did since the human last spoke. */
export const extractToolCallsCurrentTurn = async (
  transcriptPath: string,
  agentName: AgentName,
  hints: TurnHints = {},
): Promise<TurnTimeline> => extractToolCallsCurrentTurnSync(transcriptPath, agentName, hints);

/** What the agent did since the human last spoke, for a caller that has nothing else to do meanwhile. */
export const extractToolCallsCurrentTurnSync = (
  transcriptPath: string,
  agentName: AgentName,
  hints: TurnHints = {},
): TurnTimeline => {
  const reading = withRegularFile(transcriptPath, (file) =>
    file.size === 0 ? noData("empty") : readTimeline({ path: transcriptPath, file }, agentName, hints),
  );
  return reading.status === "read" ? reading.value : noData(reading.reason);
};

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
