import { expect, test } from "vitest";
import { anything, flag, name, objects, parsePayload, text } from "./payload.ts";
import { appliesPatch } from "./tools.ts";
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

const headings = (count: number) => Array.from({ length: count }, (_, index) => `*** Update File: ${index}.py`);
const patches = [
  {
    patch: "two files",
    text: "*** Add File: a b.py  \r\n+x\n*** Move to: c.py\n",
    target: { kind: "files", files: ["a b.py", "c.py"] },
  },
  { patch: "no heading", text: "x *** Add File: a.py", target: null },
  {
    patch: "a name with twenty million blanks in it",
    text: `*** Update File: a${" ".repeat(20_000_000)}b`,
    target: { kind: "files", files: [`a${" ".repeat(20_000_000)}b`] },
  },
  {
    patch: "a thousand files",
    text: headings(1000).join("\n"),
    target: { kind: "files", files: headings(1000).map((line) => line.slice(17)) },
  },
  { patch: "more files", text: headings(700_000).join("\n"), target: { kind: "shell", command: "apply_patch" } },
];
test.for(patches)("a patch with $patch", ({ text: command, target }) => {
  expect(appliesPatch("command")({ command })).toEqual(target);
});
