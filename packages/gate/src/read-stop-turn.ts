import { MESSAGE_PREFIX } from "@agent-checkpoint/composer";
import {
  type AgentName,
  extractToolCallsCurrentTurnSync,
  type TurnTimeline,
  waitForText,
} from "@agent-checkpoint/transcript";
import type { StopEvent } from "./events.ts";

const LAST_MESSAGE_WAIT_MS = 500;

/** The turn that stops, read once its last message has reached the transcript. */
export async function readStopTurn(event: StopEvent, agent: AgentName): Promise<TurnTimeline> {
  const { transcriptPath, lastMessage, promptId, promptText } = event;
  if (transcriptPath === null) return { hasData: false, toolCalls: [], reason: "missing" };
  if (lastMessage !== null) await waitForText(transcriptPath, lastMessage, { timeoutMs: LAST_MESSAGE_WAIT_MS });
  return extractToolCallsCurrentTurnSync(transcriptPath, agent, {
    promptId: promptId ?? undefined,
    promptText: promptText ?? undefined,
    ownMessages: [MESSAGE_PREFIX],
  });
}
