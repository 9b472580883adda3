import type { DeliveryReason, PassReason } from "@agent-checkpoint/composer";

/** What the sentence about a decision depends on. */
export interface Decision {
  readonly decision: "block" | "pass";
  /** Why, in kebab-case, as the record has it. */
  readonly reason: string;
  readonly actions: readonly string[];
  /** Seconds from the prompt to the stop; null where nobody knows. */
  readonly secondsAfterPrompt: number | null;
}

type Sentence = (decision: Decision) => string;

/** Why a stop passes before its content is looked at. */
const PASSES: Readonly<Record<PassReason, Sentence>> = {
  "asked-before": () => "The agent said that a hook had blocked this turn before.",
  "already-blocked": () => "This turn was blocked before, and a turn is blocked at most once.",
  snoozed: () => "A person has let stops here pass for a while.",
  "plan-mode": () => "The agent was in plan mode, where it changes nothing.",
  "background-tasks": () => "Work was still running in the background; its end brings another stop.",
  "no-response-text": () => "The agent was cancelled before it had said anything.",
  "sub-agent": () => "A sub-agent stopped, not the agent itself.",
  "no-session": () => "The event named no session, so nobody could tell whether its turn was blocked before.",
  timer: ({ secondsAfterPrompt }) =>
    secondsAfterPrompt === null
      ? "Too soon after the prompt or the last checkpoint to be worth a look."
      : `${count(secondsAfterPrompt, "second")} after the prompt, too soon to be worth a look.`,
  "no-prompt-time": () => "Neither the record nor the transcript tells when the turn began.",
};

/** Why the content of a stop is sent or stays unsaid. */
const CONTENTS: Readonly<Record<DeliveryReason, Sentence>> = {
  "missing-actions": ({ actions }) => `${count(actions.length, "action")} still to be done: ${actions.join(", ")}.`,
  "unresolved-failures": () => "A command failed, and nothing later in the turn made it good.",
  observations: ({ decision }) =>
    decision === "block"
      ? "Nothing left to be done, but something is worth saying."
      : "Nothing left to be done, and these rules do not block for an observation alone.",
  "all-clear": ({ decision }) =>
    decision === "block"
      ? "Everything that the changes ask for was seen to be done, and these rules say so."
      : "Everything that the changes ask for was seen to be done.",
  "capture-only": ({ decision }) =>
    decision === "block" ? "No code changed, and these rules remind of the rest." : "No code changed.",
  unchanged: () => "Nothing changed since the session's last stop.",
  "git-unknown": ({ decision }) =>
    decision === "block"
      ? "Git could not tell what changed, so the advice is a general one."
      : "Git could not tell what changed, and these rules are silent then.",
  "config-problem": () => "The config cannot be used; the message says what is wrong with it.",
};

const SENTENCES: ReadonlyMap<string, Sentence> = new Map(Object.entries({ ...PASSES, ...CONTENTS }));

/** Why a stop is blocked or passes, in one sentence that is true before and after it. */
export function sayReason(decision: Decision): string {
  const sentence = SENTENCES.get(decision.reason);
  // A block that is given back has the reason why its message did not arrive.
  return sentence?.(decision) ?? `The message did not reach the agent (${decision.reason}).`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
