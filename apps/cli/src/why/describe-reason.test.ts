import { expect, test } from "vitest";
import { describeReason } from "./describe-reason.ts";

const decision = { decision: "pass", actions: [], secondsAfterPrompt: null } as const;

const cases = [
  {
    given: { reason: "timer", secondsAfterPrompt: 1 },
    says: "1 second after the prompt, which is too soon.",
  },
  { given: { reason: "timer" }, says: "Too soon after the prompt or the last checkpoint." },
  {
    given: { reason: "missing-actions", decision: "block", actions: ["a", "b"] },
    says: "2 actions still to be done: a, b.",
  },
  {
    given: { reason: "capture-only", decision: "block" },
    says: "No code changed, and these rules send a reminder then.",
  },
  { given: { reason: "capture-only" }, says: "No code changed." },
  { given: { reason: "pane-in-use" }, says: "The message did not reach the agent (pane-in-use)." },
] as const;
test.for(cases)("$given.reason, $given.decision: $says", ({ given, says }) => {
  expect(describeReason({ ...decision, ...given })).toBe(says);
});
