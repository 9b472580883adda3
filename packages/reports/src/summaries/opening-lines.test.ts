import fc from "fast-check";
import { expect, test } from "vitest";
import { mayOpenReport, OPENING_LINES } from "./summary-lines.ts";

test("every line that opens a report has one of the words", () => {
  const missed = OPENING_LINES.filter(({ pattern }) => {
    // What makes lines of a pattern knows neither names of groups nor boundaries of words.
    const plain = new RegExp(pattern.source.replaceAll(/\(\?<\w+>/g, "(?:").replaceAll(String.raw`\b`, ""));
    return !fc.sample(fc.stringMatching(plain), 100).every(mayOpenReport);
  });
  expect(missed.map(({ pattern }) => pattern.source)).toEqual([]);
});
