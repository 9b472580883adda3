import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { SCENARIOS } from "./scenarios/all.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const recordings = globSync("packages/transcript/fixtures/*/**/*.{json,jsonl}", {
  cwd: REPOSITORY,
});
const payloads = globSync("fixtures/hook-events/*/*.json", { cwd: REPOSITORY });

test("a recording's name is used once", () => {
  const names = SCENARIOS.map(({ agent, name }) => `${agent}/${name}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe.for([...recordings, ...payloads])("%s", (file) => {
  const text = readFileSync(`${REPOSITORY}${file}`, "utf8");
  const values = text.startsWith("{\n")
    ? [JSON.parse(text)]
    : text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));

  test("holds no long text: vendors' prompts are cut", () => {
    expect(values.flatMap(strings).filter((string) => string.length > 1500)).toEqual([]);
  });

  test("holds no path but those of the sandbox", () => {
    const homes = text.match(/\/(?:root|home|Users)\/(?!dev\b|check\b)[\w.-]+/g);
    expect(homes).toBeNull();
  });
});

function strings(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}
