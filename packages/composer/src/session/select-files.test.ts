import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fileSignature } from "./baseline.ts";
import { selectFiles } from "./select-files.ts";

const UNKNOWN_SESSION = { touchedFiles: [], readUpTo: null, baseline: null };

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

test("a file whose name the record keeps without a secret is still the session's own", () => {
  const timeline = {
    hasData: true,
    toolCalls: [],
    prompt: { offset: 0, digest: "", timestamp: null, id: null },
    isWhole: true,
    skippedLines: 0,
    size: 9,
  } as const;
  const select = (touchedFiles: readonly string[]) =>
    selectFiles({ ...input, timeline, session: { ...UNKNOWN_SESSION, touchedFiles } }).files;
  expect(select([KEPT])).toEqual([FILE]);
  expect(select(["a.ts"])).toEqual(["a.ts"]);
});

test("a file that was dirty before is known by the name that the record keeps", () => {
  for (const file of input.changed) writeFileSync(join(root, file), "x");
  const timeline = { hasData: false, toolCalls: [], reason: "missing" } as const;
  const baseline = { [KEPT]: fileSignature(root, FILE) };
  expect(selectFiles({ ...input, timeline, session: { ...UNKNOWN_SESSION, baseline } }).files).toEqual(["a.ts"]);
});
