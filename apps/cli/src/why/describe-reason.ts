import type { DeliveryReason, PassReason } from "@agent-checkpoint/composer";
import { counted } from "../terminal/layout.ts";

/** What the sentence about a decision depends on. */
export interface Decision {
  readonly decision: "block" | "pass";
  /** Why, in kebab-case, as the record has it. */
  readonly reason: string;
  readonly actions: readonly string[];
  /** Seconds from the prompt to the stop; null if unknown. */
  readonly secondsAfterPrompt: number | null;
}

type Sentence = (decision: Decision) => string;

/** Why a stop passes before its content is judged. */
const PASSES: Readonly<Record<PassReason, Sentence>> = {
  "asked-before": () => "The agent reported that a hook had already blocked this turn.",
  "already-blocked": () => "This turn was already blocked, and a turn is blocked at most once.",
  snoozed: () => "Stops here are snoozed.",
  "plan-mode": () => "The agent was in plan mode, where it changes nothing.",
  "background-tasks": () =>
    "Work of this turn was still running in the background; when it ends, there is another stop. A task is waited for once.",
  "no-response-text": () => "The agent was cancelled before it had replied.",
  "sub-agent": () => "A sub-agent stopped, not the agent itself.",
  "no-session": () => "The event named no session, so it was unknown whether its turn had already been blocked.",
  timer: ({ secondsAfterPrompt }) =>
    secondsAfterPrompt === null
      ? "Too soon after the prompt or the last checkpoint."
      : `${counted(secondsAfterPrompt, "second")} after the prompt, which is too soon.`,
  "api-error": () => "The turn ended in an error of the model's API; the agent had not stopped by itself.",
  "no-transcript": () =>
    "The session has no transcript, so it is unknown what was done in the turn, and these rules are silent then.",
  "unknown-transcript": () =>
    "The transcript is in a form that we do not know: the hook was called by another agent, or the file is damaged.",
  "turn-limit": () =>
    "The run was started with a limit of turns (--max-turns), and too few may have been left to do what is missing; past the limit it fails without an answer.",
  "no-prompt-time": () => "Neither the record nor the transcript shows when the turn began.",
};

/** Why the content of a stop is sent or not. */
const CONTENTS: Readonly<Record<DeliveryReason, Sentence>> = {
  "missing-actions": ({ actions }) => `${counted(actions.length, "action")} still to be done: ${actions.join(", ")}.`,
  "unresolved-failures": () => "A command failed, and nothing later in the turn resolved it.",
  observations: ({ decision }) =>
    decision === "block"
      ? "Nothing left to do, but there are observations."
      : "Nothing left to do, and these rules do not block for an observation alone.",
  "all-clear": ({ decision }) =>
    decision === "block"
      ? "The changes ask for nothing more, and these rules report that."
      : "The changes ask for nothing more.",
  "capture-only": ({ decision }) =>
    decision === "block" ? "No code changed, and these rules send a reminder then." : "No code changed.",
  question: () => "The agent waits for an answer; what is missing is asked for at a later stop.",
  "told-not-to": () => "The prompt wants no tests to be run; what is missing is asked for at a later stop.",
  unchanged: () => "Nothing changed since the session's last stop.",
  "git-unknown": ({ decision }) =>
    decision === "block"
      ? "Git could not tell what changed, so the message is generic."
      : "Git could not tell what changed, and these rules are silent then.",
  "config-problem": () => "The config cannot be used; the message says what is wrong with it.",
};

const SENTENCES: ReadonlyMap<string, Sentence> = new Map(Object.entries({ ...PASSES, ...CONTENTS }));

/** Why a stop is blocked or passes, in one sentence that fits both a preview and a past stop. */
export function describeReason(decision: Decision): string {
  const sentence = SENTENCES.get(decision.reason);
  // A released block has the reason why its message did not arrive.
  return sentence?.(decision) ?? `The message did not reach the agent (${decision.reason}).`;
}
