import { expect, test } from "vitest";
import { anything, flag, name, objects, parsePayload, text } from "./payload.ts";
import type { Payload } from "./wire.ts";

const fields = { event: name, id: text, again: flag, input: anything, tasks: objects };
const parse = (payload: Payload) =>
  parsePayload(fields, payload, (found) => ({ ok: false, detail: JSON.stringify(found) }));

const good = [
  { payload: { event: "x" }, found: { event: "x", id: null, again: false, input: {}, tasks: [] } },
  {
    payload: { event: "", id: "", again: null, input: null, tasks: null },
    found: { event: "", id: null, again: false, input: { value: null }, tasks: [] },
  },
  {
    payload: {
      event: "x",
      id: "i",
      again: true,
      input: { a: 1 },
      tasks: [{ status: "running" }, { other: 1 }],
      more: 1,
    },
    found: {
      event: "x",
      id: "i",
      again: true,
      input: { value: { a: 1 } },
      tasks: [{ status: "running" }, { other: 1 }],
    },
  },
];
test.for(good)("$payload", ({ payload, found }) => {
  expect(parse(payload)).toEqual({ ok: false, detail: JSON.stringify(found) });
});

const bad = [
  { payload: {}, detail: "event: expected a string, found nothing" },
  { payload: { event: null }, detail: "event: expected a string, found null" },
  { payload: Object.create({ event: "x" }) as Payload, detail: "event: expected a string, found string" },
  { payload: { event: "x", id: 7 }, detail: "id: expected a string, found number" },
  { payload: { event: "x", again: "true" }, detail: "again: expected true or false, found string" },
  { payload: { event: "x", tasks: {} }, detail: "tasks: expected a list of objects, found object" },
  { payload: { event: "x", tasks: [1] }, detail: "tasks: expected a list of objects, found a list" },
];
test.for(bad)("$payload: $detail", ({ payload, detail }) => {
  expect(parse(payload)).toEqual({ ok: false, detail });
});
