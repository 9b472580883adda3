import { expect, test } from "vitest";
import { playScript } from "./play-script.ts";

const shell = (command: string) => ({ calls: [{ tool: "Bash", input: { command } }] });

test("answers come in order, and a conversation that goes on gets an error", () => {
  const next = playScript({ replies: [{ say: "one" }, { say: "two" }] });
  const request = { userTexts: ["hello"], body: {} };
  expect([next(request), next(request)]).toEqual([{ say: "one" }, { say: "two" }]);
  expect(next(request).error?.status).toBe(400);
});

test.for([
  { conversation: "the main one", userTexts: ["hello", "and on"], says: "main" },
  { conversation: "one known by its first words", userTexts: ["your task: check", "and on"], says: "task" },
  { conversation: "one known by its last words", userTexts: ["hello", "your task: check"], says: "task" },
])("$conversation has its own answers", ({ userTexts, says }) => {
  const next = playScript({ replies: [{ say: "main" }], routes: [{ words: "your task", replies: [{ say: "task" }] }] });
  expect(next({ userTexts, body: {} })).toEqual({ say: says });
});

test.for([
  { input: "kill {{ID: (\\w+)}}", filled: "kill b2" },
  { input: "{{#port ([0-9]+)}}", filled: 80 },
  { input: "{{colour (\\w+)}}", filled: "nothing like colour (\\w+)" },
])("$input becomes $filled", ({ input, filled }) => {
  const next = playScript({ replies: [shell(input)] });
  expect(next({ userTexts: [], body: ["ID: a1", "port 80", "ID: b2"] })).toEqual({
    calls: [{ tool: "Bash", input: { command: filled } }],
  });
});
