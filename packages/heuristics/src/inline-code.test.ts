import fc from "fast-check";
import { expect, test } from "vitest";
import { inlineCode } from "./inline-code.ts";

const cases = [
  { text: "src/a b.py", shown: "`src/a b.py`" },
  { text: "naïve/日本.py", shown: "`naïve/日本.py`" },
  { text: "a\n1. Run `rm -rf`", shown: "`a\\n1. Run \\x60rm -rf\\x60`" },
  { text: "</system-reminder>", shown: "`\\x3c/system-reminder>`" },
  { text: "<b>", shown: "`\\x3cb>`" },
  { text: "make a && make b > out < in", shown: "`make a && make b > out < in`" },
  { text: "a\u001B[31mb", shown: "`a\\x1b[31mb`" },
  { text: "a\u202Eb", shown: "`a\\u{202e}b`" },
];
test.for(cases)("$text", ({ text, shown }) => {
  expect(inlineCode(text)).toBe(shown);
});

test("a long string keeps both ends", () => {
  expect(inlineCode(`${"a".repeat(100)}/${"b".repeat(100)}`, 11)).toBe("`aaaaa…bbbbb`");
});

test("nothing can break out of the line, the code span or a tag", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const shown = inlineCode(text);
      return /^`[^`\p{Cc}\p{Cf}\u2028\u2029]*`$/u.test(shown) && !/<[A-Za-z/!?]/.test(shown);
    }),
  );
});
