import { CLI_VERSIONS } from "../../cli-versions.ts";
import type { Scenario } from "../scenario.ts";
import { bash, claudeSession, EDIT, READ } from "./session.ts";

const NAME = "blocked-once-then-finished";

const BLOCKED_ONCE: Scenario = claudeSession({
  name: NAME,
  shows:
    "Read, a failing Bash, Edit, a Bash that works; a Stop hook blocks; the turn goes on with one more Bash and stops.",
  prompt: "Make the greeting loud",
  hookAnswers: { Stop: [{ decision: "block", reason: "Run the check again before you finish." }] },
  replies: [
    { think: "The file first.", say: "I look at the file first.", calls: [READ] },
    { calls: [bash("sh check.sh")] },
    { calls: [EDIT] },
    { calls: [bash("python3 src/greet.py")] },
    { say: "The greeting is loud now." },
    { calls: [bash("sh check.sh")] },
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
  ...CLI_VERSIONS.claude.older.map((version) => ({
    ...BLOCKED_ONCE,
    name: `${NAME}-${version}`,
    shows: `The same as ${NAME}, as ${version} writes it.`,
    version,
    keptPayloads: {
      [`user-prompt-submit-${version}`]: { event: "UserPromptSubmit", nth: 1 },
      [`stop-first-${version}`]: { event: "Stop", nth: 1 },
      [`stop-after-block-${version}`]: { event: "Stop", nth: 2 },
    },
  })),
];
