import { MESSAGE_PREFIX } from "../message/texts.ts";
import {
  type AgentName,
  extractToolCallsCurrentTurnSync,
  type TurnTimeline,
  waitForText,
} from "@agent-checkpoint/transcript";
import type { StopEvent } from "./events.ts";

const LAST_MESSAGE_WAIT_MS = 500;

/** Waits until the turn's last message has reached the transcript, as some agents call their hooks before. */
export async function untilWritten({ transcriptPath, lastMessage }: StopEvent): Promise<void> {
  if (transcriptPath === null || lastMessage === null) return;
  await waitForText(transcriptPath, lastMessage, { timeoutMs: LAST_MESSAGE_WAIT_MS });
}

/** The turn that stops, as the transcript has it now. */
export function readStopTurn(event: StopEvent, agent: AgentName): TurnTimeline {
  const { transcriptPath, promptId, promptText } = event;
  if (transcriptPath === null) return { hasData: false, toolCalls: [], reason: "missing" };
  return extractToolCallsCurrentTurnSync(transcriptPath, agent, {
    promptId: promptId ?? undefined,
    promptText: promptText ?? undefined,
    ownMessages: [MESSAGE_PREFIX],
  });
}
