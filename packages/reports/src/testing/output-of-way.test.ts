import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findReports } from "../index.ts";
import { outputOfWay } from "./output-of-way.ts";

/** Ways that people start tests, beside the repository where they are at hand: group, changed file, command. */
const LIST = new URL("../../../../../shared/review/ways-to-test.txt", import.meta.url);

const ways = existsSync(LIST)
  ? readFileSync(LIST, "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split("\t").at(2) ?? "")
  : ["uv run pytest -q", "pnpm exec vitest run", "cargo nextest run", "go test ./...", "make test"];

describe.runIf(existsSync(LIST))("the list of ways", () => {
  test("most ways tell their runner", () => {
    expect(ways.filter((command) => outputOfWay(command) !== null).length).toBeGreaterThan(180);
  });
});

test.for(ways.filter((command) => outputOfWay(command) !== null))("%s ends in a green report", (command) => {
  expect(findReports(outputOfWay(command) ?? "").map(({ outcome }) => outcome)).toContain("green");
});

test.for(["mise run test", "make check", "./scripts/test.sh", "npm run test:unit"])(
  "%s may start any runner",
  (command) => {
    expect(outputOfWay(command)).toBeNull();
  },
);
