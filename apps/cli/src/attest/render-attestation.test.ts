import { expect, test } from "vitest";
import { createStyle } from "../terminal/style.ts";
import type { AttestedCommit } from "./read-attestation.ts";
import { renderCommit } from "./render-attestation.ts";

const AT = new Date("2026-11-18T12:00:00Z");
const RULE = {
  rule: "tests",
  mode: "require",
  instruction: "Run the tests",
  run: "npm test",
  at: AT,
  stop: 12,
} as const;
const STOP = { stop: 12, at: AT, agent: "claude", decision: "block", reason: "missing-actions" } as const;

const COMMIT: AttestedCommit = {
  commit: "0123456789abcdef",
  subject: "Let the retry loop of the client back off, and let it give up after the time that the server names",
  files: [
    {
      file: "packages/server/src/connections/retry.ts",
      blob: "1",
      rules: [
        { ...RULE, state: "not-verified", by: "claude", command: null },
        { ...RULE, state: "verified", by: "claude", command: "npm test --workspace packages/server", mode: "shadow" },
      ],
      stops: [STOP],
    },
  ],
};

const shown = (columns: number) =>
  renderCommit(COMMIT, { style: createStyle({ isTerminal: false, env: {} }), columns });

test("on a terminal every line ends at a word; a program gets a line for each sentence", () => {
  const [narrow, whole] = [shown(80), shown(Infinity)];
  expect(narrow.split("\n").filter((line) => line.length > 80)).toEqual([]);
  const words = (text: string) => text.split(/\s+/);
  expect(words(narrow)).toEqual(words(whole));
  expect(whole.trimEnd().split("\n")).toHaveLength(4);
});
