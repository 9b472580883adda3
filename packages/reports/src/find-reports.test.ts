import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findReports, RUNNERS, type TestReport } from "./index.ts";

const FIXTURES = new URL("../fixtures/", import.meta.url);

/** What is found in each recording of a folder. */
function readRecordings(id: string): Readonly<Record<string, readonly TestReport[]>> {
  const folder = new URL(`${id}/`, FIXTURES);
  const names = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  return Object.fromEntries(
    names.toSorted().map((name) => [name, findReports(readFileSync(new URL(name, folder), "utf8"))]),
  );
}

test.for([...RUNNERS, { id: "wrappers" }])("$id: what its recordings say", async ({ id }) => {
  const lines = Object.entries(readRecordings(id)).map(
    ([name, reports]) => `"${name}": [${reports.map((report) => `\n    ${JSON.stringify(report)}`).join(",")}]`,
  );
  await expect(`{\n  ${lines.join(",\n  ")}\n}\n`).toMatchFileSnapshot(`../fixtures/${id}/expected.json`);
});

test.for(RUNNERS)("$id: what the names of its recordings promise", ({ id }) => {
  const promised = Object.entries(readRecordings(id)).filter(([name]) => /\b(?:green|red)\b/.test(name));
  const kept = promised.filter(([name, reports]) => {
    const outcomes = reports.filter(({ runner }) => runner === id).map(({ outcome }) => outcome);
    return outcomes.includes(name.includes("green") ? "green" : "red");
  });
  expect(kept.map(([name]) => name)).toEqual(promised.map(([name]) => name));
});

// Make knows only that there was nothing to do.
test.for(RUNNERS.filter(({ id }) => id !== "make"))("$id: is recorded green and red", ({ id }) => {
  const names = Object.keys(readRecordings(id));
  expect(names).toEqual(expect.arrayContaining([expect.stringContaining("green"), expect.stringContaining("red")]));
});
