import { expect, test } from "vitest";
import { type FileFacts, judgeFile } from "./judge-file.ts";

const at = (second: number) => new Date(Date.UTC(2026, 10, 16, 12, 0, second));
const base = { path: "f", isFile: () => true, lastAt: at(10), nextAt: at(20) };
const edited = { ...base, edits: [{ kind: "replace", old: "a", now: "b", isEverywhere: false }] } as const;
const commanded = { ...base, edits: [{ kind: "unknown" }] } as const;
const facts: FileFacts = {
  written: edited,
  committed: "a",
  live: "b",
  staged: null,
  stats: { mtimeMs: at(15).getTime() },
  wasDirty: false,
};

const cases: { is: string; given: Partial<FileFacts>; why: string | null }[] = [
  { is: "edited", given: {}, why: null },
  { is: "edited, dirty before, but all of it explained", given: { wasDirty: true }, why: null },
  { is: "edited, and more than that", given: { live: "b and more" }, why: "mixed" },
  { is: "edited, with the edit staged", given: { staged: "b" }, why: null },
  { is: "edited, with something else staged", given: { staged: "theirs" }, why: "staged" },
  { is: "by a command", given: { written: commanded }, why: null },
  {
    is: "by a command, touched later",
    given: { written: commanded, stats: { mtimeMs: at(40).getTime() } },
    why: "mixed",
  },
  {
    is: "by a command, touched before",
    given: { written: commanded, stats: { mtimeMs: at(1).getTime() } },
    why: "mixed",
  },
  { is: "by a command, dirty before", given: { written: commanded, wasDirty: true }, why: "mixed" },
  {
    is: "by a command, nobody knows what was before",
    given: { written: commanded, wasDirty: null },
    why: "unverified",
  },
  { is: "made by a command", given: { written: commanded, wasDirty: null, committed: null }, why: null },
  { is: "removed by a command", given: { written: commanded, live: null, stats: null }, why: null },
  { is: "removed by somebody", given: { live: null, stats: null }, why: "mixed" },
  { is: "by a command, with something staged", given: { written: commanded, staged: "theirs" }, why: "staged" },
  { is: "by a command of unknown time", given: { written: { ...commanded, lastAt: null } }, why: "unverified" },
];
test.for(cases)("$is: $why", ({ given, why }) => {
  expect(judgeFile({ ...facts, ...given })).toBe(why);
});
