import fc from "fast-check";
import { expect, test } from "vitest";
import { snippet } from "./calls.ts";

test("keeps a short text as it is", () => {
  expect(snippet("x".repeat(500))).toBe("x".repeat(500));
});

test("keeps the first and the last line of a long one", () => {
  const cut = snippet(`Exit code 3\n${"output\n".repeat(500)}Exit Code: 3`);
  expect(cut).toHaveLength(500);
  expect(cut.startsWith("Exit code 3\noutput")).toBe(true);
  expect(cut.endsWith("output\nExit Code: 3")).toBe(true);
  expect(cut).toContain("\n[…]\n");
});

test("never has more than 500 characters, and no half ones", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 200, maxLength: 900 }), (text) => {
      const cut = snippet(text);
      expect(cut.length).toBeLessThanOrEqual(500);
      expect(Buffer.from(cut, "utf8").toString("utf8")).toBe(cut);
    }),
  );
});
