import { homedir } from "node:os";
import { expect, test } from "vitest";
import { redactRecording } from "./redact-recording.ts";

const PROMPT = "You are an agent. ".repeat(30);
const redactClaude = (...lines: unknown[]) => {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return (redactRecording("claude", "shown", { "a.jsonl": text })["a.jsonl"] ?? "")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
};

test("a line that needs no cut stays byte for byte", () => {
  const text = '{"type":"user", "n":1.0,"message":{"content":"caf\\u00e9"}}\n{"torn\n';
  expect(redactRecording("claude", "shown", { "a.jsonl": text })).toEqual({
    "a.jsonl": '{"type":"user", "n":1.0,"message":{"content":"caf\\u00e9"}}\n',
  });
});

test("an id has the same name in every file, made of the recording's name and its shape", () => {
  const id = "0dd5c0dd-4b9f-7a4f-8bd3-cceaa100bb33";
  const files = { [`${id}/a.jsonl`]: `{"id":"${id}"}\n`, "stop.json": `{"session_id":"${id}"}` };
  expect(redactRecording("codex", "shown", files)).toEqual({
    "baaf5362-0000-7000-8000-000000000002/a.jsonl": '{"id":"baaf5362-0000-7000-8000-000000000002"}\n',
    "stop.json": '{"session_id":"baaf5362-0000-7000-8000-000000000002"}',
  });
});

test("what followed a dropped attachment follows its predecessor", () => {
  expect(
    redactClaude(
      { uuid: "first", parentUuid: null },
      { uuid: "second", parentUuid: "first", attachment: { type: "skill_listing", content: PROMPT } },
      { uuid: "third", parentUuid: "second", attachment: { type: "model" } },
      { uuid: "fourth", parentUuid: "third" },
    ),
  ).toEqual([
    { uuid: "first", parentUuid: null },
    { uuid: "fourth", parentUuid: "first" },
  ]);
});

test.for([
  {
    what: "Claude's copy of a request",
    agent: "claude",
    line: { type: "api-request-blob", message: { role: "user", content: PROMPT } },
    left: { type: "api-request-blob", message: { role: "user", content: [{ type: "text", text: "[cut]" }] } },
  },
  {
    what: "a reminder inside a tool result",
    agent: "claude",
    line: { type: "user", message: { content: `hello\n<system-reminder>${PROMPT}</system-reminder>` } },
    left: { type: "user", message: { content: "hello\n<system-reminder>\n[cut]\n</system-reminder>" } },
  },
  {
    what: "Gemini's preamble",
    agent: "gemini",
    line: { type: "user", content: [{ text: `<session_context>${PROMPT}</session_context>` }] },
    left: { type: "user", content: [{ text: "<session_context>\n[cut]\n</session_context>" }] },
  },
  {
    what: "Gemini's description of a tool",
    agent: "gemini",
    line: { type: "gemini", toolCalls: [{ name: "replace", status: "error", description: PROMPT }] },
    left: { type: "gemini", toolCalls: [{ name: "replace", status: "error", description: "[cut]" }] },
  },
  {
    what: "Codex's instructions",
    agent: "codex",
    line: { type: "session_meta", payload: { cwd: "/home/dev/project", base_instructions: { text: PROMPT } } },
    left: { type: "session_meta", payload: { cwd: "/home/dev/project", base_instructions: { text: "[cut]" } } },
  },
] as const)("$what is cut", ({ agent, line, left }) => {
  const { file } = redactRecording(agent, "shown", { file: `${JSON.stringify(line)}\n` });
  expect(JSON.parse(file ?? "")).toEqual(left);
});

test("a recording that names this machine is refused", () => {
  const redact = () => redactRecording("claude", "shown", { file: `{"path":"${homedir()}/.cache/x"}\n` });
  expect(redact).toThrow(/still holds/);
});
