import fc from "fast-check";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { settingsText } from "../testing/settings-text.ts";
import { findForeignSyntax, mendSyntax } from "./syntax.ts";

const JSON_ALONE = { comments: false, trailingCommas: false, byteOrderMark: false };
const WITH_COMMENTS = { ...JSON_ALONE, comments: true };

const cases = [
  { title: "plain JSON", text: `{ "a": "// x, }" }\n`, place: null, mended: `{ "a": "// x, }" }\n` },
  { title: "a comment on a line", text: `{\n  // mine\n  "a": 1\n}\n`, place: [2, 3], mended: `{\n  "a": 1\n}\n` },
  { title: "one after a value", text: `{\n  "a": 1 // mine\n}\n`, place: [2, 10], mended: `{\n  "a": 1\n}\n` },
  {
    title: "one on two lines",
    text: `{\r\n\t/* a\r\n b */\r\n\t"a": 1\r\n}`,
    place: [2, 2],
    mended: `{\r\n\t"a": 1\r\n}`,
  },
  { title: "one within a line", text: `{ /* a */ "a": 1 }`, place: [1, 3], mended: `{  "a": 1 }` },
  { title: "a trailing comma", text: `{\n  "a": [1, 2,],\n}\n`, place: [2, 13], mended: `{\n  "a": [1, 2]\n}\n` },
  { title: "both", text: `{\n  "a": 1, // mine\n}\n`, place: [2, 9], mended: `{\n  "a": 1\n}\n` },
  { title: "a byte order mark", text: `\uFEFF{}\n`, place: [1, 1], mended: "{}\n" },
  { title: "an escaped quote", text: String.raw`{ "a": "\"//" }`, place: null, mended: String.raw`{ "a": "\"//" }` },
];
test.for(cases)("$title", ({ text, place, mended }) => {
  const problem = findForeignSyntax(text, JSON_ALONE);
  expect(problem === null ? null : [problem.line, problem.column]).toEqual(place);
  expect(mendSyntax(text, JSON_ALONE)).toBe(mended);
});

test("a comment stays for an agent that reads it", () => {
  const text = `{\n  // mine\n  "a": [1,], // yours\n}\n`;
  expect(findForeignSyntax(text, WITH_COMMENTS)).toMatchObject({ line: 3, found: "a trailing comma" });
  expect(mendSyntax(text, WITH_COMMENTS)).toBe(`{\n  // mine\n  "a": [1] // yours\n}\n`);
});

test("any file says the same after it was mended, in plain JSON", () => {
  fc.assert(
    fc.property(settingsText(), (text) => {
      const mended = mendSyntax(text, JSON_ALONE);
      expect(findForeignSyntax(mended, JSON_ALONE)).toBe(null);
      expect(JSON.parse(mended)).toEqual(parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true }));
    }),
  );
});
