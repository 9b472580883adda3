import type { CheckpointContent } from "../get-checkpoint-content.ts";
import { type PassReason, reasonToPass } from "./decide-stop.ts";
import type { StopEvent } from "./events.ts";
import type { Place } from "./place.ts";
import { readStopTurn, untilWritten } from "./read-stop-turn.ts";
import { contentAtStop, promptTime } from "./stop-content.ts";
import { gatherStopFacts, type StopRecords } from "./stop-facts.ts";

/** What a stop would come to. */
export interface StopPreview {
  /** Whether the message would reach the agent. */
  readonly deliver: boolean;
  readonly reason: PassReason | CheckpointContent["reason"];
  /** When the human spoke; null where nobody knows. */
  readonly promptAt: Date | null;
  readonly content: CheckpointContent;
}

/**
 * What `judgeStop` would say of a stop now, without recording it; the content is there also where the stop would pass.
 * Of a stop without a session only the content is asked: there is no turn that could be too young or blocked already.
 */
export async function previewStop(event: StopEvent, place: Place, records: StopRecords): Promise<StopPreview> {
  const facts = await gatherStopFacts(event, place, records);
  await untilWritten(event);
  const timeline = readStopTurn(event, place.agent);
  const promptAt = promptTime(facts, timeline);
  const content = await contentAtStop(facts, { timeline, promptAt }, place);
  const pass = event.sessionId === null ? null : reasonToPass({ ...facts.state, promptAt });
  const { deliver, reason } = pass === null ? content : { deliver: false, reason: pass };
  return { deliver, reason, promptAt, content };
}
