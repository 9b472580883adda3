import { expect, test } from "vitest";
import { contextMarkToJson, parseContextMark } from "./context-mark.ts";

const noon = new Date("2026-01-01T12:00:00Z");

const marks = [
  { at: noon, isArmed: true, hasFailed: false },
  { at: noon, isArmed: false, hasFailed: true },
];
test.for(marks)("a mark comes out of the column as it went in: $isArmed, $hasFailed", (mark) => {
  expect(parseContextMark(contextMarkToJson(mark))).toEqual(mark);
});

const spoiled = [
  { text: "", mark: null },
  { text: "null", mark: null },
  { text: "[]", mark: null },
  { text: '{"at":"noon","isArmed":true}', mark: null },
  { text: `{"at":${noon.getTime()}}`, mark: { at: noon, isArmed: false, hasFailed: false } },
  {
    text: `{"at":${noon.getTime()},"isArmed":1,"hasFailed":"yes"}`,
    mark: { at: noon, isArmed: false, hasFailed: false },
  },
];
test.for(spoiled)("a column that holds $text", ({ text, mark }) => {
  expect(parseContextMark(text)).toEqual(mark);
});
