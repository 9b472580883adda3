import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { digest } from "./digest.ts";

test("is the beginning of the SHA-256 of any text, trimmed", () => {
  const character = fc.integer({ min: 0, max: 0x10_ff_ff }).map((code) => String.fromCodePoint(code));
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 300 }), (text) => {
      const expected = createHash("sha256").update(text.trim(), "utf8").digest("hex").slice(0, 16);
      expect(digest(text)).toBe(expected);
    }),
  );
});

test.for([55, 56, 63, 64, 65, 1000])("is right for %i characters, where the blocks end", (length) => {
  const text = "x".repeat(length);
  expect(digest(text)).toBe(createHash("sha256").update(text).digest("hex").slice(0, 16));
});
