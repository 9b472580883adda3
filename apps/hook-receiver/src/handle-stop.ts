import type { Payload } from "@agent-checkpoint/agents/wire";
import type { AnswerExtras, StopEvent } from "@agent-checkpoint/gate";
import { stopRow } from "@agent-checkpoint/gate/stop-row";
import { journalStop } from "@agent-checkpoint/store/files";
import type { Handled } from "./handled.ts";
import type { HookPlace } from "./hook-place.ts";
import { isFlaggedAutonomous } from "./is-flagged-autonomous.ts";

/** What a stop came with, and how it is answered. */
export interface StopCall {
  readonly block: (message: string, extras?: AnswerExtras) => void;
  /** Lets it go, and tells the human something. */
  readonly tell: (extras: AnswerExtras) => void;
  readonly env: NodeJS.ProcessEnv;
  readonly payload: Payload;
}

/** A stop: let go at once where the agent says it was blocked before, or its turn has just begun; else judged. */
export async function handleStop(event: StopEvent, place: HookPlace, call: StopCall): Promise<Handled> {
  // In a loop without a person, a turn's later stops are looked at too: the context may have filled up since.
  if (event.isRepeated && !isFlaggedAutonomous(call.env)) {
    journalStop(place.home, stopRow(event, place, { reason: "stop-hook-active", turn: event.promptId }));
    return { problem: null };
  }
  const { letYoungGo } = await import("./let-young-go.ts");
  const { isGone, keptRules } = await letYoungGo(event, place, call.env);
  if (isGone) return { problem: null, hasConfig: keptRules?.wasAsked() === true };
  const { recordStop } = await import("./handle-recorded.ts");
  return recordStop(event, { ...place, keptRules }, call);
}
