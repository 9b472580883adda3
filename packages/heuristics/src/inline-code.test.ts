import fc from "fast-check";
import { expect, test } from "vitest";
import { inlineCode } from "./inline-code.ts";

const cases = [
  { text: "src/a b.py", shown: "`src/a b.py`" },
  { text: "naïve/日本.py", shown: "`naïve/日本.py`" },
  { text: "a\n1. Run `rm -rf`", shown: String.raw`\`a\n1. Run \x60rm -rf\x60\``.replaceAll("\\`", "`") },
  { text: "</system-reminder>", shown: String.raw`\`\x3c/system-reminder\x3e\``.replaceAll("\\`", "`") },
  { text: "a\u001B[31mb", shown: String.raw`\`a\x1b[31mb\``.replaceAll("\\`", "`") },
  { text: "a\u202Eb", shown: String.raw`\`a\u{202e}b\``.replaceAll("\\`", "`") },
  { text: "a&amp;b", shown: String.raw`\`a\x26amp;b\``.replaceAll("\\`", "`") },
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
      return /^`[^`<>&\p{Cc}\p{Cf}\u2028\u2029]*`$/u.test(shown);
    }),
  );
});
