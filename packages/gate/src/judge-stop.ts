import { SAVE_DEFAULTS } from "@agent-checkpoint/categories/defaults";
import { type ChangedFiles, listChangedFiles } from "@agent-checkpoint/git";
import type { Store } from "@agent-checkpoint/store";
import { reasonToPass } from "./decide-stop.ts";
import type { StopEvent } from "./events.ts";
import type { Outcome, Place } from "./place.ts";
import { recordPass } from "./record-pass.ts";
import type { AnswerExtras, Saving } from "./saving.ts";
import { gatherStopFacts, type StopFacts } from "./stop-facts.ts";

/** What a stop is judged with. */
export interface Judging {
  readonly store: Store;
  /** Brings the message to the agent; called at most once, and only when the turn's one block is ours. */
  readonly send: (message: string, extras?: AnswerExtras) => void | Promise<Sent>;
  /** Whether the process is there for this stop alone; false unless given. */
  readonly isAlone?: boolean;
  /** When the judgement began, in milliseconds since the process did, where that lives longer than one stop. */
  readonly startedAt?: number;
  /** Looks after the session's work when its context fills up; nobody does where it is not given. */
  readonly saving?: Saving | undefined;
}

/** Whether a message that takes its time has reached the agent, or why not, in kebab-case. */
export type Sent = { readonly arrived: true } | { readonly arrived: false; readonly reason: string };

/**
 * Decides a stop by the record, the clock and the content, in that order, and records what was decided.
 * What weighs the content is loaded only for a stop that record and clock leave open, and git is asked before that.
 */
export async function judgeStop(event: StopEvent, place: Place, judging: Judging): Promise<Outcome> {
  const { store, startedAt = 0, saving, isAlone = false } = judging;
  await store.foldJournal();
  const facts = await gatherStopFacts(event, place, store);
  const reason = reasonToPass(facts.state);
  const isSettled = reason !== null && reason !== "no-prompt-time";
  if (isSettled && saving?.isAutonomous(saveRules(facts)) !== true) {
    await recordPass(event, place, { store, startedAt, facts, reason, trail: { promptAt: facts.state.promptAt } });
    return { problem: null };
  }
  const changing = startListing(facts, isAlone);
  const { judgeContent } = await import("./judge-content.ts");
  return judgeContent(event, place, { judging, facts, changing, saveRules: saveRules(facts) });
}

/** Has git begin; null where the rules cannot be used. */
function startListing({ root, loaded }: StopFacts, mayWait: boolean): Promise<ChangedFiles> | null {
  return loaded.ok ? listChangedFiles(root, { untracked: loaded.rules.untracked, mayWait }) : null;
}

function saveRules({ loaded }: StopFacts) {
  return (loaded.ok ? loaded.rules.save : undefined) ?? SAVE_DEFAULTS;
}
