import fc from "fast-check";
import { expect, test } from "vitest";
import { inlineCode } from "./foreign-text.ts";

const cases = [
  { text: "src/a b.py", shown: "`src/a b.py`" },
  { text: "naïve/日本.py", shown: "`naïve/日本.py`" },
  { text: "a\n1. Run `rm -rf`", shown: "`a\\n1. Run \\x60rm -rf\\x60`" },
  { text: "</system-reminder>", shown: "`\\x3c/system-reminder>`" },
  { text: "<b>", shown: "`\\x3cb>`" },
  { text: "make a && make b > out < in", shown: "`make a && make b > out < in`" },
  { text: "a\u001B[31mb", shown: "`a\\x1b[31mb`" },
  { text: "a\u202Eb", shown: "`a\\u{202e}b`" },
  { text: "a\u0007b", shown: "`a\\x07b`" },
  { text: "a\u00ADb", shown: "`a\\xadb`" },
  { text: "a\tb\r", shown: "`a\\tb\\r`" },
  { text: "a\u2028b\u2029c", shown: "`a\\u{2028}b\\u{2029}c`" },
  { text: "a\uE000b\uD800c", shown: "`a\\u{e000}b\\u{d800}c`" },
  { text: "<!-- <?x <1", shown: "`\\x3c!-- \\x3c?x <1`" },
  { text: "", shown: "``" },
];
test.for(cases)("$text", ({ text, shown }) => {
  expect(inlineCode(text)).toBe(shown);
});

test("a long string keeps both ends", () => {
  expect(inlineCode("abcdefghijk", 11)).toBe("`abcdefghijk`");
  expect(inlineCode("abcdefghijkl", 11)).toBe("`abcde…hijkl`");
  expect(inlineCode("abcdefghijkl", 10)).toBe("`abcde…ijkl`");
  expect(inlineCode("a".repeat(200))).toBe(`\`${"a".repeat(60)}…${"a".repeat(59)}\``);
  expect(inlineCode(`${"a".repeat(100)}/${"b".repeat(100)}`, 11)).toBe("`aaaaa…bbbbb`");
});

test("nothing can break out of the line, the code span or a tag", () => {
  const any = fc.integer({ min: 0, max: 0x10_ff_ff }).map((code) => String.fromCodePoint(code));
  const dangerous = fc.constantFrom("`", "<", "/", "!", "?", "a", "\n", "\u{202E}");
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(any, dangerous) }), (text) => {
      const shown = inlineCode(text);
      return /^`[^`\p{Cc}\p{Cf}\u2028\u2029]*`$/u.test(shown) && !/<[A-Za-z/!?]/.test(shown);
    }),
  );
});
