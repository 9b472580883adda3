import { expect, test } from "vitest";
import { plainProject } from "../testing/a-project.ts";

const document = (changes: object) => ({ version: 1, phases: { a: { status: "pending" } }, ...changes });
const deep = `{"version":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;

const cases = [
  { file: "of a feature that is none", content: document({ feature: " " }), why: "not-ours" },
  { file: "of a feature with a control character", content: document({ feature: "a\u0000" }), why: "not-ours" },
  { file: "of a feature with a forbidden name", content: document({ feature: "__proto__" }), why: "not-ours" },
  { file: "with thousands of levels", content: deep, why: "corrupt" },
  { file: "with thousands of levels in a field of its own", content: `{"version":1,"own":${deep}}`, why: "corrupt" },
];
test.for(cases)("a file $file does not hide the others", ({ content, why }) => {
  const { write, listCheckpoints, loadCheckpoint, getLastError } = plainProject();
  write("implement-checkpoint.json", content);
  write("ship-checkpoint.json", document({}));
  expect(listCheckpoints()).toMatchObject([
    { command: "implement", checkpoint: null, problem: expect.any(String) },
    { command: "ship", checkpoint: { command: "ship" }, problem: null },
  ]);
  expect(loadCheckpoint("implement")).toBeNull();
  expect(getLastError()?.code ?? null).toBe(why);
});
