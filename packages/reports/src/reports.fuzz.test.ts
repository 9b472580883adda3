import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { damagedLines } from "../../../fixtures/src/fuzzing/damaged-lines.ts";
import { FUZZING, fuzz } from "../../../fixtures/src/fuzzing/fuzz.ts";
import { findReports, RUNNERS } from "./index.ts";

const FIXTURES = new URL("../fixtures/", import.meta.url);

const recordings = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".txt"))
  .map((name) => readFileSync(new URL(name, FIXTURES)));

const RUNNER_IDS: ReadonlySet<string> = new Set(RUNNERS.map(({ id }) => id));

/** Lines of the recordings, and what patterns stumble over. */
const pieces = [
  ...recordings.map((recording) => recording.toString("utf8").trimEnd().split("\n").at(-1) ?? ""),
  ..." |=|1 |ok |(|[|\t|\r|\u001b[|\u001b]|1 passed, |: |a:b: |→|\u2028|\ud800|> Task :|- ".split("|"),
];

function check(output: string): void {
  for (const { runner, passed, failed, outcome, places } of findReports(output)) {
    expect(RUNNER_IDS.has(runner)).toBe(true);
    expect(outcome === "green" && ((failed ?? 0) > 0 || passed === 0)).toBe(false);
    expect(places.length).toBeLessThanOrEqual(20);
  }
}

test(
  "a damaged recording",
  FUZZING,
  fuzz(
    { quick: 300, long: 30_000 },
    fc.constantFrom(...recordings).chain((recording) => damagedLines(recording, fc.constantFrom(...pieces))),
    (bytes) => check(bytes.toString("utf8")),
  ),
);

test(
  "a few pieces over and over",
  FUZZING,
  fuzz(
    { quick: 60, long: 3000 },
    fc.record({
      unit: fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
      separator: fc.constantFrom("", " ", "\n"),
      length: fc.constantFrom(900, 5000, 200_000),
    }),
    ({ unit, separator, length }) => {
      const repeated = `${unit}${separator}`;
      check(repeated === "" ? "" : repeated.repeat(Math.ceil(length / repeated.length)).slice(0, length));
    },
  ),
);
