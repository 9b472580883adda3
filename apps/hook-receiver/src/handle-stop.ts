import type { AnswerExtras, Payload } from "@agent-checkpoint/agents/wire";
import type { Outcome, StopEvent } from "@agent-checkpoint/composer";
import { concludeStop, gatherStopFacts, judgeStop, weighStop } from "@agent-checkpoint/composer/gate";
import { autosaveAtStop, planSave } from "./autosave-at-stop.ts";
import { type HookPlace, withStore } from "./with-store.ts";

/** What a stop came with, and how it is answered. */
export interface StopCall {
  readonly block: (message: string, extras?: AnswerExtras) => void;
  /** Lets it pass, and tells the human something. */
  readonly tell: (extras: AnswerExtras) => void;
  readonly env: NodeJS.ProcessEnv;
  readonly payload: Payload;
}

/** Judges a stop with the store open; saving the session's work reads the same facts, and shares the turn's one block. */
export function handleStop(event: StopEvent, place: HookPlace, call: StopCall): Promise<Outcome> {
  return withStore(place, async (store) => {
    const facts = await gatherStopFacts(event, place, store);
    const plan = planSave(facts, call.env);
    // In a loop without a person, a turn's later stops are looked at too: the context may have filled up since.
    const judge = plan?.isAutonomous === true ? weighStop : judgeStop;
    const judged = await judge(facts, { isAlone: place.isLast });
    const isWaiting = judged.content === null || judged.pass === "background-tasks";
    const saved = plan === null || isWaiting ? null : await autosaveAtStop(judged, plan, call);
    const extras = saved?.extras;
    const send = (message: string) => call.block(message, extras);
    const { problem, isBlocked } = await concludeStop(judged, { store, send, addition: saved });
    if (!isBlocked && extras !== undefined) call.tell(extras);
    return { problem };
  });
}
