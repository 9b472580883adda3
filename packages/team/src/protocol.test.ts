import { expect, test } from "vitest";
import { checkLine } from "./protocol.ts";

const STOP = {
  t: "stop",
  uid: "018f0000-0000-8000-8000-000000000001",
  at: "2026-01-02T03:04:05.678Z",
  agent: "claude",
  decision: "pass",
};
const OUTCOME = { ...STOP, t: "outcome", decision: undefined, rule: "tests", outcome: "done" };

const good = [
  { row: "an old client's stop, without what came later", value: STOP },
  { row: "a newer client's stop, with what is not known here", value: { ...STOP, mood: { good: true } } },
  { row: "an outcome", value: OUTCOME },
];
test.for(good)("$row is taken as it is", ({ value }) => {
  expect(checkLine(JSON.stringify(value))).toEqual({ ok: true, row: JSON.parse(JSON.stringify(value)) });
});

const bad = [
  { what: "no JSON", line: "{", reason: "no-json" },
  { what: "a list", line: "[]", reason: "t" },
  { what: "an unknown kind", line: JSON.stringify({ ...STOP, t: "thought" }), reason: "t" },
  { what: "an id that is none of ours", line: JSON.stringify({ ...STOP, uid: "1" }), reason: "uid" },
  { what: "a sentence for a reason", line: JSON.stringify({ ...STOP, reason: "Because I say so" }), reason: "reason" },
  { what: "a sentence for a rule", line: JSON.stringify({ ...OUTCOME, rule: "rm -rf /" }), reason: "rule" },
  { what: "a time that is none", line: JSON.stringify({ ...STOP, at: "yesterday" }), reason: "at" },
  { what: "a count out of range", line: JSON.stringify({ ...STOP, files: 2 ** 31 }), reason: "files" },
  { what: "a zero character", line: JSON.stringify({ ...STOP, extra: "\u0000" }), reason: "characters" },
  { what: "half a pair", line: `{"t":"stop","extra":"\\ud800"}`, reason: "characters" },
  { what: "a row of many kilobytes", line: JSON.stringify({ ...STOP, extra: "x".repeat(5000) }), reason: "too-long" },
];
test.for(bad)("$what is refused", ({ line, reason }) => {
  expect(checkLine(line)).toEqual({ ok: false, reason });
});
