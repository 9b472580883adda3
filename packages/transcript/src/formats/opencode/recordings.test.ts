import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { extractToolCallsCurrentTurnSync } from "../../extract-tool-calls-current-turn.ts";
import { readContextUsage } from "../../read-context-usage.ts";
import { readTurns } from "../../read-turns.ts";
import { summarise } from "../../testing/summarise.ts";
import { digest } from "../../turn/find-turns.ts";

const recording = (name: string) => fileURLToPath(new URL(`../../../fixtures/opencode/${name}.jsonl`, import.meta.url));

// `opencode run` puts the prompt into quotes.
const cases = [
  {
    name: "blocked-once-then-finished",
    prompt: '"Make the greeting loud"',
    calls: [
      "read /home/dev/project/src/greet.py: ok",
      "shell sh check.sh: failed 3",
      "edit /home/dev/project/src/greet.py: ok",
      "shell python3 src/greet.py: ok 0",
      "shell sh check.sh: ok 0",
    ],
  },
  {
    name: "calls-that-fail",
    prompt: '"Try everything"',
    calls: [
      "read /home/dev/project/src/nothing.py: failed",
      "edit /home/dev/project/src/greet.py: failed",
      "other invalid: failed",
      "shell no-such-program: failed 127",
      "shell echo one: ok 0",
      "shell sh check.sh: failed 3",
    ],
  },
  { name: "continued-session", prompt: '"And now make it loud"', calls: ["edit /home/dev/project/src/greet.py: ok"] },
  {
    name: "sub-agent",
    prompt: '"Let somebody check the greeting"',
    calls: ["agent task: ok", "> shell sh check.sh: failed 3"],
  },
  { name: "interrupted", prompt: "Say hello instead", calls: [] },
  {
    name: "typed-while-working",
    prompt: "Check the greeting slowly",
    calls: ["shell python3 -c 'import time; time.sleep(6)'; sh check.sh: failed 3"],
  },
  { name: "compacted", prompt: "And what does it say", calls: ["shell python3 src/greet.py: ok 0"] },
];
test.for(cases)("$name", ({ name, prompt, calls }) => {
  const timeline = extractToolCallsCurrentTurnSync(recording(name), "opencode");
  expect(timeline.toolCalls.map(summarise)).toEqual(calls);
  expect(timeline).toMatchObject({ hasData: true, isWhole: true, prompt: { digest: digest(prompt) } });
});

const past = [
  { name: "blocked-once-then-finished", endings: ["stopped"] },
  { name: "continued-session", endings: ["stopped", "stopped"] },
  { name: "interrupted", endings: ["interrupted", "stopped"] },
  { name: "typed-while-working", endings: ["stopped"] },
  { name: "compacted", endings: ["stopped", "stopped"] },
];
test.for(past)("the turns of $name: $endings", ({ name, endings }) => {
  expect([...readTurns(recording(name), "opencode")].map(({ ending }) => ending.kind)).toEqual(endings);
});

test("how full the context is", () => {
  expect(readContextUsage(recording("blocked-once-then-finished"), "opencode")).toMatchObject({
    status: "known",
    tokens: 810,
    window: null,
  });
});
