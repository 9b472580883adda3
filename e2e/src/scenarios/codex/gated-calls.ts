import type { Scenario } from "../scenario.ts";
import { codexSession, EDIT, shell } from "./session.ts";

const DENY = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "Make a checkpoint first.",
  },
};

/** Calls that a hook sees before they run, and one that it denies. */
export const GATED_CALLS: readonly Scenario[] = [
  codexSession({
    name: "edit-denied-once",
    shows: "A PreToolUse hook sees a command, denies a patch, and lets the same patch pass.",
    prompt: "Make the greeting loud",
    hookEvents: ["PreToolUse"],
    hookAnswers: { PreToolUse: [{}, DENY] },
    replies: [
      { calls: [shell("sh check.sh")] },
      { calls: [EDIT] },
      { calls: [EDIT] },
      { say: "The greeting is loud now." },
    ],
    keptPayloads: {
      "pre-tool-use-shell": { event: "PreToolUse", nth: 1 },
      "pre-tool-use-patch": { event: "PreToolUse", nth: 2 },
    },
  }),
];
