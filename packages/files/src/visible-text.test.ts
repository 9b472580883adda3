import { expect, test } from "vitest";
import { blankInvisible, escapeInvisible } from "./visible-text.ts";

const cases = [
  { name: "ASCII", text: "a `b` <c>", escaped: "a `b` <c>", blank: "a `b` <c>" },
  { name: "letters of all kinds", text: "größe 日本 é 👍", escaped: "größe 日本 é 👍", blank: "größe 日本 é 👍" },
  { name: "line breaks and tabs", text: "a\r\nb\tc", escaped: "a\\r\\nb\\tc", blank: "a b c" },
  { name: "an escape sequence", text: "\u001b[2J", escaped: "\\x1b[2J", blank: " [2J" },
  { name: "a C1 control", text: "a\u009bb", escaped: "a\\x9bb", blank: "a b" },
  {
    name: "a turn of the reading direction",
    text: "a\u202eb\u2066c",
    escaped: "a\\u{202e}b\\u{2066}c",
    blank: "a b c",
  },
  { name: "a line separator", text: "a\u2028b", escaped: "a\\u{2028}b", blank: "a b" },
  {
    name: "characters of no width",
    text: "a\u200b\u2060\ufeffb",
    escaped: "a\\u{200b}\\u{2060}\\u{feff}b",
    blank: "a b",
  },
  { name: "a variation selector", text: "a\ufe0fb", escaped: "a\\u{fe0f}b", blank: "a b" },
  {
    name: "supplementary variation selectors",
    text: "a\u{e0100}\u{e01ef}b",
    escaped: "a\\u{e0100}\\u{e01ef}b",
    blank: "a b",
  },
  { name: "tags", text: "a\u{e0041}b", escaped: "a\\u{e0041}b", blank: "a b" },
  { name: "fillers", text: "a\u3164\u115fb", escaped: "a\\u{3164}\\u{115f}b", blank: "a b" },
  { name: "private use", text: "a\ue000b", escaped: "a\\u{e000}b", blank: "a b" },
  { name: "half a pair", text: "a\ud800b", escaped: "a\\u{d800}b", blank: "a b" },
];
test.for(cases)("$name", ({ text, escaped, blank }) => {
  expect(escapeInvisible(text)).toBe(escaped);
  expect(blankInvisible(text)).toBe(blank);
});
