import { expect, test } from "vitest";
import { lineText, userLineKind } from "./read-turn.ts";

const COMMAND = "<command-name>/goal</command-name>\n<command-message>goal</command-message>";

const cases = [
  { line: "a prompt", content: "Do the work", kind: "prompt" },
  {
    line: "a prompt in blocks",
    content: [
      { type: "text", text: "Do" },
      { type: "text", text: "it" },
    ],
    kind: "prompt",
  },
  { line: "only an image", content: [{ type: "image", source: {} }], kind: "prompt" },
  { line: "nothing at all", content: [], kind: "other" },
  { line: "a pasted log that begins like a wrapper", content: "[Request failed] why?", kind: "prompt" },
  { line: "pasted markup", content: "<div> is not centred", kind: "prompt" },
  { line: "a plan that was approved", content: "Implement the following plan:\n\n1. …", kind: "prompt" },
  {
    line: "a queued prompt",
    content: "And this",
    with: { promptSource: "queued", turnOrigin: "human" },
    kind: "prompt",
  },
  { line: "a prompt typed by a human", content: "Do it", with: { origin: { kind: "human" } }, kind: "prompt" },
  {
    line: "a prompt command",
    content: "<command-message>fix</command-message>\n<command-name>/fix</command-name>",
    kind: "prompt",
  },
  { line: "a built-in command", content: COMMAND, kind: "built-in-command" },
  { line: "a built-in command that runs the model", content: COMMAND, with: { turnOrigin: "human" }, kind: "prompt" },
  { line: "its output", content: "<local-command-stdout>Bye</local-command-stdout>", kind: "other" },
  { line: "a meta line", content: "Base directory for this skill: …", with: { isMeta: true }, kind: "other" },
  { line: "a summary", content: "The story so far", with: { isCompactSummary: true }, kind: "other" },
  {
    line: "an old summary",
    content: "This session is being continued from a previous conversation that ran out of context. …",
    kind: "other",
  },
  { line: "hook feedback of 1.0", content: "Stop hook feedback:\n- Run the tests.", kind: "other" },
  {
    line: "an interruption",
    content: [{ type: "text", text: "[Request interrupted by user for tool use]" }],
    kind: "other",
  },
  { line: "a task notification", content: "<task-notification>\n<task-id>b1</task-id>", kind: "other" },
  {
    line: "a notification that says who sent it",
    content: "Agent done",
    with: { origin: { kind: "task-notification" } },
    kind: "other",
  },
  { line: "a system prompt", content: "Wake up", with: { promptSource: "system" }, kind: "other" },
  { line: "a command of the user's own shell", content: "<bash-input>ls</bash-input>", kind: "other" },
  { line: "our own message", content: "Checkpoint: run the tests", kind: "other" },
];

test.for(cases)("$line: $kind", ({ content, with: fields, kind }) => {
  const line = { type: "user", message: { role: "user", content }, ...fields };
  expect(userLineKind(line, lineText(line), ["Checkpoint:", ""])).toBe(kind);
});
