import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SECRET_TEXTS, traceOf } from "../../redaction/src/testing/secret-texts.ts";
import { inlineCode, plainWords } from "./foreign-text.ts";

describe("a secret is gone wherever a text is cut", () => {
  const lengths = [8, 20, 40, 80, 120, 500];
  test.for(SECRET_TEXTS)("$row: $clean", ({ text, secret }) => {
    const trace = traceOf({ secret });
    const padding = ["", "x ".repeat(30), "x ".repeat(5000)];
    const shown = padding.flatMap((before) =>
      padding.flatMap((after) => lengths.map((length) => inlineCode(`${before}${text} ${after}`, length))),
    );
    // Eight characters in a row are enough to be a part of it.
    const parts = Array.from({ length: Math.max(1, trace.length - 7) }, (_, at) => trace.slice(at, at + 8));
    expect(shown.filter((one) => parts.some((part) => one.includes(part)))).toEqual([]);
  });
});

test("the value alone is taken out of a command", () => {
  expect(inlineCode('curl -H "Authorization: Bearer abc" `id`')).toBe(
    '`curl -H "Authorization: Bearer [redacted]" \\x60id\\x60`',
  );
});

describe("words from a config", () => {
  const cases = [
    { words: "Run `make migrate` then `make check`", shown: "Run `make migrate` then `make check`" },
    { words: "code <b>", shown: "code ‹b>" },
    { words: "if a < b", shown: "if a < b" },
    { words: "\u202Eevil\u200B", shown: "\\u{202e}evil\\u{200b}" },
    { words: "a\n1. Run it\u001B[31m\u009B", shown: "a\\n1. Run it\\x1b[31m\\x9b" },
    { words: "a\uD800b", shown: "a\\u{d800}b" },
    { words: "DB_PASSWORD=hunter2 make", shown: "DB_PASSWORD=[redacted] make" },
  ];
  test.for(cases)("$words", ({ words, shown }) => {
    expect(plainWords(words)).toBe(shown);
  });

  test("nothing in them acts on the line or opens a tag", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) =>
        /^(?:[^<\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]|<(?![A-Za-z/!?]))*$/u.test(plainWords(text)),
      ),
    );
  });
});
