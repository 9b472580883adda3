import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolCallRecord } from "@agent-checkpoint/transcript";
import { afterAll, describe, expect, test } from "vitest";
import { fileSignature } from "./baseline.ts";
import { selectFiles, touchedPaths } from "./select-files.ts";

const UNKNOWN_SESSION = {
  touchedFiles: [],
  readUpTo: null,
  baseline: null,
  firstSeenAt: new Date(0),
  lastMessageSentAt: null,
};

const root = mkdtempSync(join(tmpdir(), "checkpoint-select-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A name that the record keeps as `FOO_TOKEN=[redacted]`. */
const FILE = "FOO_TOKEN=hunter2-Correct";
const KEPT = "FOO_TOKEN=[redacted]";

const input = {
  changed: ["a.ts", FILE],
  scope: "session",
  place: { projectPath: root },
  agent: "claude",
  transcriptPath: null,
} as const;

const timeline = {
  hasData: true,
  toolCalls: [],
  prompt: { offset: 0, digest: "", timestamp: null, id: null },
  isWhole: true,
  skippedLines: 0,
  size: 9,
} as const;

test("a file whose name the record keeps without a secret is still the session's own", () => {
  const select = (touchedFiles: readonly string[]) =>
    selectFiles({ ...input, timeline, session: { ...UNKNOWN_SESSION, touchedFiles } }).files;
  expect(select([KEPT])).toEqual([FILE]);
  expect(select(["a.ts"])).toEqual(["a.ts"]);
});

test("a file that was dirty before is known by the name that the record keeps", () => {
  for (const file of input.changed) writeFileSync(join(root, file), "x");
  const missing = { hasData: false, toolCalls: [], reason: "missing" } as const;
  const baseline = { [KEPT]: fileSignature(root, FILE) };
  expect(selectFiles({ ...input, timeline: missing, session: { ...UNKNOWN_SESSION, baseline } }).files).toEqual([
    "a.ts",
  ]);
});

describe("the paths that git has to be asked about", () => {
  const call = (kind: "edit" | "shell" | "agent", words: Readonly<Record<string, string>>): ToolCallRecord => ({
    id: "1",
    toolName: kind,
    kind,
    inputData: words,
    command: words["command"] ?? null,
    cwd: null,
    files: words["file"] === undefined ? [] : [words["file"]],
    hadError: false,
    hasResult: true,
    rejected: false,
    exitCode: 0,
    resultSnippet: "",
    reports: [],
    timestamp: null,
    endedAt: null,
    by: "main",
  });
  const edit = call("edit", { file: join(root, "src/a.ts") });
  const shell = (command: string) => call("shell", { command });
  const cases = [
    { turn: "an edit", calls: [edit], paths: ["src/a.ts"] },
    { turn: "an edit and its tests", calls: [edit, shell("npm test"), shell("git status")], paths: ["src/a.ts"] },
    { turn: "only reading", calls: [shell("cat src/b.ts")], paths: [] },
    { turn: "an edit of an earlier turn", calls: [], touched: ["src/b.ts"], paths: ["src/b.ts"] },
    { turn: "a script that may write anything", calls: [edit, shell("python3 edit.py")], paths: null },
    { turn: "a generator", calls: [edit, shell("make generate")], paths: null },
    { turn: "a sub-agent", calls: [edit, call("agent", {})], paths: null },
    { turn: "a glob", calls: [], touched: ["src/*.ts"], paths: null },
    { turn: "a name that is not kept whole", calls: [], touched: [KEPT], paths: null },
    {
      turn: "more files than a command line holds",
      calls: [],
      touched: Array.from({ length: 201 }, (_, n) => `${n}.ts`),
      paths: null,
    },
  ];
  test.for(cases)("$turn: $paths", ({ calls, touched = [], paths }) => {
    const session = { ...UNKNOWN_SESSION, touchedFiles: touched };
    expect(touchedPaths({ ...input, timeline: { ...timeline, toolCalls: calls }, session })).toEqual(paths);
  });

  test("are not known of a turn that was read in part", () => {
    const part = { ...timeline, isWhole: false, toolCalls: [edit] };
    expect(touchedPaths({ ...input, timeline: part, session: null })).toBeNull();
  });
});
