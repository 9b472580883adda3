import type { StopTrail } from "@agent-checkpoint/store";
import type { TurnTimeline } from "@agent-checkpoint/transcript";
import type { StopEvent } from "./events.ts";

/** What is known of a stop when it is decided; the earlier that is, the less. */
export interface TrailFacts {
  readonly promptAt: Date | null;
  readonly timeline?: TurnTimeline;
  readonly changedFiles?: readonly string[] | null;
  readonly workingSlug?: string | null;
}

/** What a stop was judged on: enough to find the same turn and files again, and no text of either. */
export function trailOf(
  { transcriptPath }: StopEvent,
  { promptAt, timeline, changedFiles = null, workingSlug = null }: TrailFacts,
): StopTrail {
  return {
    transcriptPath,
    turnStart: timeline?.hasData === true ? (timeline.prompt?.offset ?? null) : null,
    readUpTo: timeline?.hasData === true ? timeline.size : null,
    promptAt,
    changedFiles,
    changedFileCount: changedFiles?.length ?? null,
    workingSlug,
  };
}
