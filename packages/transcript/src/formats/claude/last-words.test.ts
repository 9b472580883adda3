import { expect, test } from "vitest";
import { lastWords } from "./read-turn.ts";

const line = (type: string, content: unknown, fields: object = {}): object => ({
  type,
  message: { content },
  ...fields,
});

const cases = [
  { what: "an answer", value: line("assistant", [{ type: "text", text: "Done." }]), words: "Done." },
  { what: "a call", value: line("assistant", [{ type: "tool_use", id: "1", name: "Bash", input: {} }]), words: "" },
  { what: "a result", value: line("user", [{ type: "tool_result", tool_use_id: "1", content: "Done." }]), words: "" },
  { what: "a thought", value: line("assistant", [{ type: "thinking", thinking: "Done?" }]), words: null },
  { what: "a prompt", value: line("user", "Done."), words: null },
  {
    what: "a sub-agent's answer",
    value: line("assistant", [{ type: "text", text: "Done." }], { isSidechain: true }),
    words: null,
  },
  { what: "another line", value: { type: "system", content: "Done." }, words: null },
];

test.for(cases)("$what", ({ value, words }) => {
  expect(lastWords({ ...value })).toBe(words);
});
