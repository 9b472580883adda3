import type { Scenario } from "../scenario.ts";
import { bash, claudeSession, slow } from "./session.ts";

const BACKGROUND = { run_in_background: true };

/** Commands that outlive the call that started them. */
export const BACKGROUND_WORK: readonly Scenario[] = [
  claudeSession({
    name: "task-notification",
    shows: "A Bash call in the background; when it ends, a <task-notification> wakes the model for a turn of its own.",
    prompt: "Check the greeting in the background",
    replies: [
      { calls: [bash("sleep 2; sh check.sh", BACKGROUND)] },
      { say: "It runs." },
      { calls: [bash("python3 src/greet.py")] },
      { say: "It failed." },
    ],
    keptPayloads: {
      "user-prompt-submit-task-notification": { event: "UserPromptSubmit", nth: 2 },
      "stop-background-task-running": { event: "Stop", nth: 1 },
      "stop-after-task-notification": { event: "Stop", nth: 2 },
    },
  }),
  claudeSession({
    name: "background-ends-in-the-turn",
    shows: "Two Bash calls in the background, one ending well and one failing, while the turn goes on.",
    prompt: "Check the greeting in the background",
    replies: [
      { calls: [bash("sh -c 'sleep 0.3; exit 0'", BACKGROUND), bash("sh -c 'sleep 0.3; exit 4'", BACKGROUND)] },
      { calls: [bash(slow(2))] },
      { calls: [bash("python3 src/greet.py")] },
      { say: "One ended well, one failed." },
    ],
  }),
  claudeSession({
    name: "background-output-2.0.77",
    shows: "A Bash call in the background whose output and exit code the model reads with TaskOutput.",
    version: "2.0.77",
    prompt: "Check the greeting in the background",
    replies: [
      { calls: [bash("sh check.sh", BACKGROUND)] },
      { calls: [{ tool: "TaskOutput", input: { task_id: "{{with ID: (\\w+)}}", block: true, timeout: 5000 } }] },
      { say: "It failed." },
    ],
  }),
  claudeSession({
    name: "timed-out-call",
    shows: "A Bash call that outlives its timeout and goes on in the background.",
    prompt: "Check the greeting",
    replies: [
      { calls: [bash(slow(3), { timeout: 1000 })] },
      { say: "It takes long." },
      { say: "And the slow one is over." },
    ],
    keptPayloads: { "stop-timed-out-call-running": { event: "Stop", nth: 1 } },
  }),
];
