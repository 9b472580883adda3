import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findReports, type RunnerId, RUNNERS, type TestReport } from "./index.ts";

const FIXTURES = new URL("../fixtures/", import.meta.url);

/** What is found in each recording of a runner. */
function readRecordings(id: RunnerId): Readonly<Record<string, readonly TestReport[]>> {
  const folder = new URL(`${id}/`, FIXTURES);
  const names = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  return Object.fromEntries(
    names.toSorted().map((name) => [name, findReports(readFileSync(new URL(name, folder), "utf8"))]),
  );
}

test.for(RUNNERS)("$id: what its recordings say", async ({ id }) => {
  const lines = Object.entries(readRecordings(id)).map(
    ([name, reports]) => `"${name}": [${reports.map((report) => `\n    ${JSON.stringify(report)}`).join(",")}]`,
  );
  await expect(`{\n  ${lines.join(",\n  ")}\n}\n`).toMatchFileSnapshot(`../fixtures/${id}/expected.json`);
});

test.for(RUNNERS)("$id: is recorded green, red and with nothing run", ({ id }) => {
  const reports = Object.values(readRecordings(id)).flat();
  const outcomes = new Set(reports.filter(({ runner }) => runner === id).map(({ outcome }) => outcome));
  expect([...outcomes].toSorted()).toEqual(["green", "nothing-run", "red"]);
});
