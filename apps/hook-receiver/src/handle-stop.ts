import type { StopEvent } from "@agent-checkpoint/composer";
import { stopRow } from "@agent-checkpoint/composer/gate";
import type { Handled } from "./handled.ts";
import type { HookPlace } from "./hook-place.ts";
import { isFlaggedAutonomous } from "./is-flagged-autonomous.ts";
import type { AnswerExtras, Payload } from "./wire/wire.ts";

/** What a stop came with, and how it is answered. */
export interface StopCall {
  readonly block: (message: string, extras?: AnswerExtras) => void;
  /** Lets it go, and tells the human something. */
  readonly tell: (extras: AnswerExtras) => void;
  readonly env: NodeJS.ProcessEnv;
  readonly payload: Payload;
}

/** A stop: passed at once if the agent says that it was blocked before; else judged. */
export async function handleStop(event: StopEvent, place: HookPlace, call: StopCall): Promise<Handled> {
  // In a loop without a person, a turn's later stops are looked at too: the context may have filled up since.
  if (event.isRepeated && !isFlaggedAutonomous(call.env)) {
    const { withStore } = await import("./with-store.ts");
    return withStore(place, async ({ stops }) => {
      await stops.record(stopRow(event, place, { reason: "asked-before", turn: event.promptId }));
      return { problem: null };
    });
  }
  const { recordStop } = await import("./handle-recorded.ts");
  return recordStop(event, place, call);
}
