import { expect, test } from "vitest";
import type { CommandAnswer } from "./call-command.ts";
import { judgeBlock, judgePass } from "./judge-answer.ts";

const IN_ORDER = "in order";
const REASON = "agent-checkpoint: 1 action is still required.\n1. Run `agent-checkpoint-canary`";
const answer = (fields: Partial<CommandAnswer>): CommandAnswer => ({
  end: "exited",
  exitCode: 0,
  stdout: "",
  stderr: "",
  durationMs: 100,
  ...fields,
});
const json = (value: unknown) => `${JSON.stringify(value)}\n`;
const block = json({ decision: "block", reason: REASON });
const deny = json({ decision: "deny", reason: REASON, systemMessage: "x" });

const blocks = [
  { title: "a block", blocks: "block", given: { stdout: block }, what: IN_ORDER },
  { title: "a deny", blocks: "deny", given: { stdout: deny }, what: IN_ORDER },
  {
    title: "noise on stderr is nobody's business",
    blocks: "block",
    given: { stdout: block, stderr: "x" },
    what: IN_ORDER,
  },
  { title: "the other agent's word", blocks: "block", given: { stdout: deny }, what: `decision "deny", not "block"` },
  { title: "silence", blocks: "block", given: {}, what: "let a stop pass" },
  { title: "Codex's silence", blocks: "block", given: { stdout: "{}\n" }, what: "let a stop pass" },
  { title: "a line before", blocks: "block", given: { stdout: `hi\n${block}` }, what: "one JSON object: hi" },
  { title: "a line after", blocks: "block", given: { stdout: `${block}bye\n` }, what: "one JSON object: {" },
  { title: "two objects", blocks: "block", given: { stdout: block + block }, what: "something else than one JSON" },
  { title: "a list", blocks: "block", given: { stdout: "[]" }, what: "something else than one JSON object: []" },
  { title: "no decision", blocks: "block", given: { stdout: json({ ok: 1 }) }, what: "the decision none" },
  {
    title: "somebody else's words",
    blocks: "block",
    given: { stdout: json({ decision: "block", reason: "no" }) },
    what: "words that are not ours: no",
  },
  {
    title: "no words",
    blocks: "block",
    given: { stdout: json({ decision: "block" }) },
    what: "words that are not ours: undefined",
  },
  {
    title: "our words, but not about the change",
    blocks: "block",
    given: { stdout: json({ decision: "block", reason: "agent-checkpoint: Continue" }) },
    what: "without having seen what changed: Continue",
  },
  { title: "another exit code", blocks: "block", given: { stdout: block, exitCode: 2 }, what: "exit code 2" },
  {
    title: "a missing program",
    blocks: "block",
    given: { exitCode: 127, stderr: "sh: x: not found\n" },
    what: "exit code 127: sh: x: not found",
  },
  { title: "no end", blocks: "block", given: { end: "timed-out", durationMs: 10_004 }, what: "within 10 s" },
  { title: "no end to the output", blocks: "block", given: { end: "flooded" }, what: "more than a megabyte" },
  {
    title: "a child that stays",
    blocks: "block",
    given: { end: "held-open", stdout: block },
    what: "keeps its output",
  },
  { title: "no shell", blocks: "block", given: { end: "not-started", stderr: "ENOENT" }, what: "started: ENOENT" },
] as const;
test.for(blocks)("a stop that has to be blocked: $title", ({ blocks: word, given, what }) => {
  const verdict = judgeBlock(answer(given), { blocks: word });
  expect(verdict?.what ?? IN_ORDER).toContain(what);
});

const passes = [
  { title: "silence", given: {}, what: IN_ORDER },
  { title: "an empty object", given: { stdout: "{}\n" }, what: IN_ORDER },
  { title: "a block", given: { stdout: block }, what: "blocked the second stop: an agent would be trapped" },
  {
    title: "talk",
    given: { stdout: "hello\nworld\n" },
    what: "printed at the second stop, where it must be silent: hello",
  },
  { title: "another exit code", given: { exitCode: 1 }, what: "exit code 1" },
] as const;
test.for(passes)("an event that has to pass: $title", ({ given, what }) => {
  const verdict = judgePass(answer(given), "the second stop");
  expect(verdict?.what ?? IN_ORDER).toContain(what);
});
