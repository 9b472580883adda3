import { expect, test } from "vitest";
import { userMessage } from "./is-prompt.ts";

const message = (...texts: readonly string[]): object => ({
  type: "message",
  role: "user",
  content: texts.map((text) => ({ type: "input_text", text })),
});

const IDE = "# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nDo it\n";

const cases = [
  { line: "an event", kind: "event", payload: { type: "user_message", message: "Do it" }, text: "Do it" },
  {
    line: "an event with an IDE's wrapper",
    kind: "event",
    payload: { type: "user_message", message: IDE },
    text: "Do it",
  },
  {
    line: "an event of a heartbeat",
    kind: "event",
    payload: { type: "user_message", message: "<heartbeat>\nGo on\n</heartbeat>" },
    text: null,
  },
  { line: "another event", kind: "event", payload: { type: "agent_message", message: "Done" }, text: null },
  { line: "a message", kind: "item", payload: message("Do it"), text: "Do it" },
  { line: "a message of the model", kind: "item", payload: { ...message("Done"), role: "assistant" }, text: null },
  { line: "the environment", kind: "item", payload: message("<environment_context>\n<cwd>/p</cwd>"), text: null },
  {
    line: "instructions beside the environment",
    kind: "item",
    payload: message("Be brief", "<environment_context>"),
    text: null,
  },
  {
    line: "instructions of the project",
    kind: "item",
    payload: message("# AGENTS.md instructions for /p\n\n…"),
    text: null,
  },
  { line: "old instructions", kind: "item", payload: message("<user_instructions>\n…"), text: null },
  { line: "an aborted turn", kind: "item", payload: message("<turn_aborted>\n…"), text: null },
  {
    line: "a sub-agent's end",
    kind: "item",
    payload: message('<subagent_notification>\n{"agent_id":"1"}'),
    text: null,
  },
  {
    line: "a hook's words",
    kind: "item",
    payload: message('<hook_prompt hook_run_id="stop:9">Go on</hook_prompt>'),
    text: null,
  },
  {
    line: "a shell command of the user",
    kind: "item",
    payload: message("<user_shell_command>ls</user_shell_command>"),
    text: null,
  },
] as const;

test.for(cases)("$line", ({ kind, payload, text }) => {
  expect(userMessage(kind, { ...payload })?.text ?? null).toBe(text);
});
