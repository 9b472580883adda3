import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findTranscripts } from "./find-transcripts.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "find-transcripts-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, day = 1): string => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "{}\n");
  utimesSync(path, new Date(2026, 0, day), new Date(2026, 0, day));
  return path;
};

const found = (...names: readonly string[]): readonly string[] =>
  findTranscripts(names, folder).files.map(({ path }) => relative(folder, path));

test("finds the sessions below a folder, the last written first, without sub-agents and other files", () => {
  put("p/old.jsonl", 1);
  put("p/new.jsonl", 3);
  put("q/chats/session-1.json", 2);
  put("p/agent-1.jsonl");
  put("p/new/subagents/agent-2.jsonl");
  put("p/new/subagents/agent-2.meta.json");
  put("p/node_modules/x/package.json");
  put("p/notes.md");
  expect(found(".")).toEqual(["p/new.jsonl", "q/chats/session-1.json", "p/old.jsonl"]);
});

test("takes a named file whatever its name, and each file once", () => {
  put("p/agent-1.jsonl", 1);
  put("p/a.jsonl", 2);
  symlinkSync(join(folder, "p/a.jsonl"), join(folder, "link.jsonl"));
  const { files } = findTranscripts(["p/agent-1.jsonl", "p", "p/a.jsonl", "link.jsonl"], folder);
  expect(files.map(({ path, isNamed }) => [relative(folder, path), isNamed])).toEqual([
    ["link.jsonl", true],
    ["p/agent-1.jsonl", true],
  ]);
});

test("names what is not there, and survives a link to itself", () => {
  mkdirSync(join(folder, "loop"));
  symlinkSync(join(folder, "loop"), join(folder, "loop", "again"));
  put("loop/a.jsonl");
  expect(found("loop")).toEqual(["loop/a.jsonl"]);
  expect(findTranscripts(["nowhere"], folder)).toEqual({
    files: [],
    failed: [{ path: join(folder, "nowhere"), reason: "missing" }],
  });
});
