import type { Scenario } from "../scenario.ts";
import { codexSession, EDIT, shell } from "./session.ts";

/** Older versions with hooks: the last before paginated rollouts, and the last that ran hooks without asking. */
const OLDER = ["0.146.0", "0.125.0"];
const NAME = "blocked-once-then-finished";

const BLOCKED_ONCE: Scenario = codexSession({
  name: NAME,
  shows:
    "A failing command, a patch, a command that works; a Stop hook blocks; the turn goes on with one more command.",
  prompt: "Make the greeting loud",
  hookAnswers: { Stop: [{ decision: "block", reason: "Run the check again before you finish." }] },
  replies: [
    { think: "The check first.", say: "I run the check first.", calls: [shell("sh check.sh")] },
    { calls: [EDIT] },
    { calls: [shell("python3 src/greet.py")] },
    { say: "The greeting is loud now." },
    { calls: [shell("sh check.sh")] },
    { say: "The check passes." },
  ],
});

/** A stop that is blocked, in every version. */
export const BLOCKED_STOPS: readonly Scenario[] = [
  {
    ...BLOCKED_ONCE,
    keptPayloads: {
      "user-prompt-submit": { event: "UserPromptSubmit", nth: 1 },
      "stop-first": { event: "Stop", nth: 1 },
      "stop-after-block": { event: "Stop", nth: 2 },
    },
  },
  ...OLDER.map((version) => ({
    ...BLOCKED_ONCE,
    name: `${NAME}-${version}`,
    shows: `The same as ${NAME}, as ${version} writes it.`,
    version,
    // Trust in hooks came after 0.125.0, and the switch for it too.
    ...(version === "0.125.0" && { args: ["--dangerously-bypass-approvals-and-sandbox"] }),
    keptPayloads: {
      [`stop-first-${version}`]: { event: "Stop", nth: 1 },
      [`stop-after-block-${version}`]: { event: "Stop", nth: 2 },
    },
  })),
];
