import { expect, test } from "vitest";
import { wrapText } from "./layout.ts";

const cases = [
  { title: "a text that fits", text: "one two", lines: ["- one two"] },
  { title: "a text that does not", text: "one two three", lines: ["- one two", "  three"] },
  { title: "a word that is too long", text: "a verylongword b", lines: ["- a", "  verylongword", "  b"] },
  { title: "wide characters", text: "漢字 漢字 漢字", lines: ["- 漢字", "  漢字", "  漢字"] },
  { title: "nothing", text: "", lines: ["-"] },
];
test.for(cases)("$title", ({ text, lines }) => {
  expect(wrapText(text, { columns: 10, first: "- " })).toBe(lines.map((line) => `${line}\n`).join(""));
});
