import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { extractToolCallsCurrentTurnSync } from "../../extract-tool-calls-current-turn.ts";
import { readContextUsage } from "../../read-context-usage.ts";
import { readTurns } from "../../read-turns.ts";
import { summarise } from "../../testing/summarise.ts";
import { digest } from "../../turn/find-turns.ts";

const recording = (name: string) => fileURLToPath(new URL(`../../../fixtures/pi/${name}.jsonl`, import.meta.url));

const cases = [
  {
    name: "blocked-once-then-finished",
    prompt: "Make the greeting loud",
    calls: [
      "read src/greet.py: ok",
      "shell sh check.sh: failed 3",
      "edit src/greet.py: ok",
      "shell python3 src/greet.py: ok 0",
      "shell sh check.sh: ok 0",
    ],
  },
  {
    name: "calls-that-fail",
    prompt: "Try everything",
    calls: [
      "read src/nothing.py: failed",
      "edit src/greet.py: failed",
      "other no_such_tool: failed",
      "shell no-such-program: failed 127",
      "shell echo one: ok 0",
      "shell sh check.sh: failed 3",
    ],
  },
  { name: "continued-session", prompt: "And now make it loud", calls: ["edit src/greet.py: ok"] },
  { name: "interrupted", prompt: "Say hello instead", calls: [] },
  {
    name: "typed-while-working",
    prompt: "Check the greeting slowly",
    calls: ["shell python3 -c 'import time; time.sleep(6)'; sh check.sh: failed 3"],
  },
  { name: "compacted", prompt: "And what does it say", calls: ["shell python3 src/greet.py: ok 0"] },
  { name: "api-error", prompt: "Check the greeting", calls: ["shell sh check.sh: failed 3"] },
];
test.for(cases)("$name", ({ name, prompt, calls }) => {
  const timeline = extractToolCallsCurrentTurnSync(recording(name), "pi");
  expect(timeline.toolCalls.map(summarise)).toEqual(calls);
  expect(timeline).toMatchObject({ hasData: true, isWhole: true, prompt: { digest: digest(prompt) } });
});

const past = [
  { name: "blocked-once-then-finished", endings: ["stopped"] },
  { name: "continued-session", endings: ["stopped", "stopped"] },
  { name: "interrupted", endings: ["interrupted", "stopped"] },
  { name: "typed-while-working", endings: ["stopped"] },
  { name: "compacted", endings: ["stopped", "stopped"] },
  { name: "api-error", endings: ["failed"] },
];
test.for(past)("the turns of $name: $endings", ({ name, endings }) => {
  expect([...readTurns(recording(name), "pi")].map(({ ending }) => ending.kind)).toEqual(endings);
});

test("how full the context is", () => {
  expect(readContextUsage(recording("blocked-once-then-finished"), "pi")).toMatchObject({
    status: "known",
    tokens: 810,
    window: null,
  });
});
