import type { Scenario } from "../scenario.ts";
import { bash, claudeSession, EDIT, READ } from "./session.ts";

const DENY = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "Make a checkpoint first.",
  },
};

/** Calls that a hook sees before they run, and one that it denies. */
export const GATED_CALLS: readonly Scenario[] = [
  claudeSession({
    name: "edit-denied-once",
    shows: "A PreToolUse hook sees a Read, denies an Edit, and lets a Bash and the same Edit pass.",
    prompt: "Make the greeting loud",
    hookEvents: ["PreToolUse"],
    hookAnswers: { PreToolUse: [{}, DENY] },
    replies: [
      { calls: [READ] },
      { calls: [EDIT] },
      { calls: [bash("python3 src/greet.py")] },
      { calls: [EDIT] },
      { say: "The greeting is loud now." },
    ],
    keptPayloads: {
      "pre-tool-use-read": { event: "PreToolUse", nth: 1 },
      "pre-tool-use-edit": { event: "PreToolUse", nth: 2 },
      "pre-tool-use-bash": { event: "PreToolUse", nth: 3 },
    },
  }),
];
