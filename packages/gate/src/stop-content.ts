import { type CheckpointContent, getCheckpointContent } from "@agent-checkpoint/composer";
import { type ChangedFiles } from "@agent-checkpoint/git";
import type { Session } from "@agent-checkpoint/store";
import type { TurnTimeline } from "@agent-checkpoint/transcript";
import type { Place } from "./place.ts";
import type { StopFacts } from "./stop-facts.ts";

/** When the human spoke, with what the turn itself tells. */
export function promptTime({ state, session }: StopFacts, timeline: TurnTimeline): Date | null {
  return state.promptAt ?? (timeline.hasData ? timeline.prompt?.timestamp : null) ?? session?.lastMessageSentAt ?? null;
}

/** The turn that stops, as far as it has been read. */
export interface StopTurn {
  readonly timeline: TurnTimeline;
  readonly promptAt: Date | null;
  /** A sentence for a message that goes out anyway. */
  readonly remark?: string | null;
  /** What git says, where it has been asked already. */
  readonly changing?: Promise<ChangedFiles> | null;
}

/** What is to be said at the stop, and whether by its content it should. */
export function contentAtStop(
  { session, loaded, workingSlug, state }: StopFacts,
  { timeline, promptAt, remark, changing }: StopTurn,
  { agent, now }: Place,
): Promise<CheckpointContent> {
  return getCheckpointContent({
    agentName: agent,
    projectPath: state.event.projectPath,
    transcriptPath: state.event.transcriptPath,
    workingSlug,
    session: session === null ? undefined : { ...session, lastStopAt: stopBefore(promptAt, session) },
    loadedRules: loaded,
    promptAt,
    timeline,
    now,
    remark,
    changing,
  });
}

/** The last stop of an earlier turn: one of this turn that was not judged leaves its changes open. */
function stopBefore(promptAt: Date | null, { lastStopAt }: Session): Date | null {
  return lastStopAt !== null && promptAt !== null && lastStopAt < promptAt ? lastStopAt : null;
}
