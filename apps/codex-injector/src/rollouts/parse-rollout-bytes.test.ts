import { expect, test } from "vitest";
import { parseRolloutBytes } from "./parse-rollout-bytes.ts";
import { parseRolloutLine } from "./parse-rollout-line.ts";
import { readRecording, RECORDINGS } from "./testing/recordings.ts";

test.for(RECORDINGS)("no event of %s is missed", (name) => {
  const lines = readRecording(name).toString("utf8").split("\n");
  expect(lines.map((line) => parseRolloutBytes(Buffer.from(line)))).toEqual(
    lines.map((line) => parseRolloutLine(line)),
  );
});

const small = [
  { line: { id: "one", timestamp: "2025-06-01T00:00:00Z", instructions: null } },
  { line: { type: "message", role: "user", content: [{ text: "Do it" }] } },
  { line: { type: "event_msg", payload: { type: "user_message", message: "Do it" } } },
  { line: { type: "event_msg", payload: { type: "turn_aborted" } } },
  { line: { type: "session_meta", payload: { id: "one" } } },
];

test.for(small)("the least that tells something: $line", ({ line }) => {
  const text = JSON.stringify(line);
  expect(parseRolloutBytes(Buffer.from(text))).toEqual(parseRolloutLine(text));
  expect(parseRolloutLine(text)).not.toBeNull();
});
