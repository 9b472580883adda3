import { type PresetName, PRESETS } from "@agent-checkpoint/categories";
import { expect, test } from "vitest";
import { isEvidence } from "./testing/is-evidence.ts";

const rows: readonly {
  readonly preset: PresetName;
  readonly action: "install";
  readonly counts: readonly string[];
  readonly doesNot: readonly string[];
}[] = [
  {
    preset: "node",
    action: "install",
    counts: ["npm ci", "pnpm add zod", "yarn install", "bun install"],
    doesNot: ["npm ls", "yarn test", "pnpm why zod"],
  },
  {
    preset: "python",
    action: "install",
    counts: ["pip install -r requirements.txt", "uv sync", "poetry add httpx", "python -m pip install -e ."],
    doesNot: ["pip list", "uv tree", "poetry show"],
  },
  { preset: "java", action: "install", counts: ["mvn compile", "./gradlew build"], doesNot: ["mvn clean"] },
];

test.for(rows)("$preset, $action", ({ preset, action, counts, doesNot }) => {
  const lines = [...counts, ...doesNot];
  expect(lines.filter((line) => isEvidence(PRESETS[preset], action, line))).toEqual(counts);
});
