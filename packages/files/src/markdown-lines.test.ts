import fc from "fast-check";
import { expect, test } from "vitest";
import { markdownLines } from "./markdown-lines.ts";

const cases = [
  { is: "a block", text: "a\n```\n# b\n```\nc", prose: ["a", "c"], isOpen: false },
  { is: "a block with a language", text: "```js\nb\n```\nc\n", prose: ["c"], isOpen: false },
  { is: "a longer fence", text: "````\n```\n````\nc", prose: ["c"], isOpen: false },
  { is: "tildes", text: "~~~ a`b\nx\n```\n~~~\nc", prose: ["c"], isOpen: false },
  { is: "code in a line is not a fence", text: "```a``` b\nc", prose: ["```a``` b", "c"], isOpen: false },
  { is: "a fence with words does not close", text: "```\na\n``` b\nc", prose: [], isOpen: true },
  { is: "an indented fence is not one", text: "    ```\nc", prose: ["    ```", "c"], isOpen: false },
  { is: "a byte order mark", text: "\uFEFF# a\r\nb", prose: ["# a", "b"], isOpen: false },
];
test.for(cases)("$is", ({ text, prose, isOpen }) => {
  const found = markdownLines(text);
  expect(found.lines.filter(({ isCode }) => !isCode).map((line) => line.text)).toEqual(prose);
  expect(found.isOpen).toBe(isOpen);
});

test("the lines make up the text", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", " ", "\n", "\r\n", "```", "~~~", "\uFEFF") });
  fc.assert(
    fc.property(texts, (text) => {
      const { lines } = markdownLines(text);
      const start = text.startsWith("\uFEFF") ? 1 : 0;
      expect(lines.map((line) => text.slice(line.start, line.next)).join("")).toBe(text.slice(start));
      for (const line of lines) expect(text.slice(line.start, line.end).trimEnd()).toBe(line.text);
    }),
  );
});
