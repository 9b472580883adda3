import { writeFileSync } from "node:fs";
import { extractToolCallsCurrentTurnSync } from "@agent-checkpoint/transcript";
import { expect, test } from "vitest";
import { readRecording } from "./testing/recordings.ts";
import { newFolder } from "./testing/test-folder.ts";
import { textDigest } from "./text-digest.ts";

test("a prompt has the digest that its timeline gives it", () => {
  using folder = newFolder();
  const path = folder.at("rollout.jsonl");
  writeFileSync(path, readRecording("blocked-once-then-finished"));
  const timeline = extractToolCallsCurrentTurnSync(path, "codex");
  expect(timeline).toMatchObject({ prompt: { digest: textDigest("Make the greeting loud") } });
});

test("white space around a text does not matter", () => {
  expect(textDigest("\n Run the tests \n")).toBe(textDigest("Run the tests"));
  expect(textDigest("Run the tests")).not.toBe(textDigest("Run the  tests"));
});
