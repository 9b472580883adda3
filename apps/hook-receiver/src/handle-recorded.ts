import {
  concludeStop,
  gatherStopFacts,
  judgeStop,
  notePrompt,
  type PromptEvent,
  type StopEvent,
  weighStop,
} from "@agent-checkpoint/composer/gate";
import { autosaveAtStop, planSave } from "./autosave-at-stop.ts";
import type { Handled } from "./handled.ts";
import type { StopCall } from "./handle-stop.ts";
import type { HookPlace } from "./hook-place.ts";
import { keptRulesIn } from "./kept/kept-rules.ts";
import { withStore } from "./with-store.ts";

/** Records a prompt that opens a turn. */
export async function recordPrompt(event: PromptEvent, place: HookPlace): Promise<Handled> {
  const keptRules = keptRulesIn(place.home);
  const outcome = await withStore(place, (store) => notePrompt(event, { ...place, keptRules }, store));
  return { ...outcome, hasConfig: keptRules?.wasAsked() === true };
}

/** Judges a stop with the store open; saving the session's work reads the same facts, and shares the turn's one block. */
export async function recordStop(event: StopEvent, place: HookPlace, call: StopCall): Promise<Handled> {
  const keptRules = keptRulesIn(place.home);
  const outcome = await withStore(place, async (store) => {
    const facts = await gatherStopFacts(event, { ...place, keptRules }, store);
    const plan = planSave(facts, call.env);
    const judge = plan?.isAutonomous === true ? weighStop : judgeStop;
    const judged = await judge(facts, { isAlone: place.isLast });
    const saved = plan === null || judged.content === null ? null : await autosaveAtStop(judged, plan, call);
    const extras = saved?.extras;
    const send = (message: string) => call.block(message, extras);
    const { problem, isBlocked } = await concludeStop(judged, { store, send, addition: saved });
    if (!isBlocked && extras !== undefined) call.tell(extras);
    return { problem };
  });
  return { ...outcome, hasConfig: keptRules?.wasAsked() === true };
}

export { withStore };
