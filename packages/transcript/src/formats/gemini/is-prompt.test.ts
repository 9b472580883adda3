import { expect, test } from "vitest";
import { isPrompt, isReportedPrompt } from "./is-prompt.ts";

const CONTEXT = "<hook_context>Be brief.</hook_context>\n\n";
const RESULT = { functionResponse: { id: "1", name: "read_file", response: { output: "…" } } };

const cases = [
  { message: "a prompt", content: [{ text: "Do the work" }], is: true },
  { message: "a prompt of an older version", content: "Do the work", is: true },
  { message: "a prompt after a hook's context", content: [{ text: `${CONTEXT}Do it` }], is: true },
  { message: "a hook's context alone", content: [{ text: CONTEXT }], is: false },
  { message: "a pasted comment", content: "// why does this fail?", is: true },
  { message: "a tool result", content: [RESULT], is: false },
  { message: "a hint beside a tool result", content: [RESULT, { text: "And this" }], is: false },
  { message: "a slash command", content: "/help", is: false },
  { message: "a question mark", content: "?", is: false },
  { message: "the preamble", content: [{ text: "<session_context>\n…" }], is: false },
  { message: "a summary", content: [{ text: "<state_snapshot>…" }], is: false },
  { message: "the CLI's own push", content: [{ text: "System: Please continue." }], is: false },
  { message: "our own reason", content: [{ text: "Checkpoint: run the tests" }], is: false },
  { message: "nothing", content: [], is: false },
];

test.for(cases)("$message", ({ content, is }) => {
  expect(isPrompt({ id: "1", type: "user", content }, ["Checkpoint:", ""])).toBe(is);
});

test("an answer is no prompt", () => {
  expect(isPrompt({ id: "1", type: "gemini", content: "Done" }, [])).toBe(false);
});

const reported = [
  { prompt: "Do it", text: "Do it\n", is: true },
  { prompt: `${CONTEXT}Do it`, text: `${CONTEXT}Do it`, is: true },
  { prompt: "Do it", text: `${CONTEXT}Do it`, is: true },
  { prompt: `${CONTEXT}Do it`, text: "Do it", is: true },
  { prompt: "Do it", text: "Please do it", is: false },
  { prompt: "", text: "", is: false },
];

test.for(reported)("$text is $prompt: $is", ({ prompt, text, is }) => {
  expect(isReportedPrompt({ id: "1", type: "user", content: [{ text }] }, prompt)).toBe(is);
});
