import fc from "fast-check";
import { expect, test } from "vitest";
import { locateMessages } from "./read-entries.ts";

/** The messages at the located places. */
const located = (json: string): unknown => {
  const bytes = Buffer.from(json, "utf8");
  const spans = locateMessages(bytes);
  return spans?.map(({ start, end }): unknown => JSON.parse(bytes.toString("utf8", start, end))) ?? null;
};

test("finds the messages of any session, however it is indented", () => {
  const message = fc.dictionary(fc.string(), fc.jsonValue());
  const session = fc.record({
    sessionId: fc.string(),
    before: fc.jsonValue(),
    messages: fc.array(message),
    after: fc.jsonValue(),
  });
  fc.assert(
    fc.property(session, fc.constantFrom(0, 2), (value, indent) => {
      expect(located(JSON.stringify(value, null, indent))).toEqual(JSON.parse(JSON.stringify(value.messages)));
    }),
  );
});

const cases = [
  { file: "no messages", json: '{"sessionId":"1"}', messages: null },
  { file: "messages that are no list", json: '{"messages":{"a":{}}}', messages: null },
  { file: "messages of something else", json: '{"inner":{"messages":[{"id":1}]}}', messages: null },
  { file: "a torn file", json: '{"messages":[{"id":1},{"id":2}', messages: null },
  { file: "a torn string", json: '{"messages":[{"id":"1', messages: null },
  { file: "a byte order mark", json: '\uFEFF{"messages":[{"id":1}]}', messages: [{ id: 1 }] },
  { file: "a list", json: '[{"messages":[]}', messages: [] },
  { file: "nothing", json: "", messages: null },
];

test.for(cases)("$file", ({ json, messages }) => {
  expect(located(json)).toEqual(messages);
});
