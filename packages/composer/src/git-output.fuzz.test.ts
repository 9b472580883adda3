import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { ToolCallRecord, TurnTimeline } from "@agent-checkpoint/transcript";
import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import { damagedBytes } from "../../../fixtures/src/fuzzing/damaged-bytes.ts";
import { FUZZING, fuzz, fuzzAsync } from "../../../fixtures/src/fuzzing/fuzz.ts";
import { buildCheckpointMessage } from "./get-checkpoint-content.ts";
import { selectFiles } from "./session/select-files.ts";
import { listChangedFiles } from "@agent-checkpoint/git";

const root = realpathSync(mkdtempSync(join(tmpdir(), "checkpoint-git-fuzz-")));
const project = join(root, "project");
const output = join(root, "output");
const path = process.env["PATH"] ?? "";

/** A git that prints what lies in a file, whatever it is asked. */
beforeAll(() => {
  const programs = join(root, "bin");
  mkdirSync(programs);
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(programs, "git"), `#!/bin/sh\ncat '${output}'\nexit $(cat '${output}.exit')\n`);
  chmodSync(join(programs, "git"), 0o755);
  process.env["PATH"] = `${programs}${delimiter}${path}`;
});
afterAll(() => {
  process.env["PATH"] = path;
  rmSync(root, { recursive: true, force: true });
});

const RECORDED = Buffer.from("src/a.ts\0src/größe.py\0with space\0line\nbreak\0-n\0teleclaude/core/x.py\0config.yml\0");
const HUGE = fc.constantFrom(Buffer.alloc(300_000, "a"), Buffer.alloc(300_000, "a/"), Buffer.alloc(100_000, "a\0"));
const outputs = fc.oneof(
  { arbitrary: damagedBytes(RECORDED), weight: 4 },
  { arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)), weight: 3 },
  { arbitrary: HUGE, weight: 1 },
);

const NO_TRANSCRIPT: TurnTimeline = { hasData: false, toolCalls: [], reason: "missing" };
const context = { projectPath: project, workingSlug: null, agent: "claude" } as const;

/** One line each for what may be said, and none for what a name may say. */
const checkMessage = (files: readonly string[]): void => {
  const message = buildCheckpointMessage(files, NO_TRANSCRIPT, context);
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(message.replaceAll("\n", "")))
    throw new Error(`something invisible: ${JSON.stringify(message)}`);
  if (message.length > 20_000) throw new Error(`a message of ${message.length} characters`);
};

test(
  "whatever git prints is a list of files, or it is said why not",
  FUZZING,
  fuzzAsync(
    { quick: 12, long: 1500 },
    fc.record({ bytes: outputs, exit: fc.constantFrom("0", "0", "0", "1", "128") }),
    async ({ bytes, exit }) => {
      writeFileSync(output, bytes);
      writeFileSync(`${output}.exit`, exit);
      const listed = await listChangedFiles(project, { untracked: true, timeoutMs: 60_000 });
      if (listed.status === "unknown") {
        if (listed.detail === "") throw new Error("unknown without a reason");
        return;
      }
      if (listed.files.some((file) => file === "" || file.includes("\0"))) throw new Error("a name that is none");
      checkMessage(listed.files);
    },
  ),
);

const names = fc.array(
  fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
    fc.constantFrom(
      "a/".repeat(2000),
      "a".repeat(4096),
      "__proto__",
      "constructor",
      "*".repeat(200),
      "{a,b}".repeat(40),
    ),
  ),
  { maxLength: 20 },
);

test("any names give a message", FUZZING, fuzz({ quick: 90, long: 6000 }, names, checkMessage));

const removing = (command: string): ToolCallRecord => ({
  id: "1",
  toolName: "Bash",
  kind: "shell",
  inputData: {},
  command,
  cwd: null,
  files: [],
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

const words = fc.array(
  fc.constantFrom("a", "src/", "*", "**", "/", "{a,b}", "[ab]", "?", "!", "+(a)", "(", "{", "'", '"', " ", ".", "*a"),
  { minLength: 1, maxLength: 40 },
);

test(
  "whatever a command names, the session's files are told from the others",
  FUZZING,
  fuzz(
    { quick: 90, long: 6000 },
    fc.record({ changed: names, words, times: fc.constantFrom(1, 1, 20) }),
    ({ changed, words: parts, times }) => {
      const { files } = selectFiles({
        changed,
        scope: "session",
        place: { projectPath: project },
        timeline: {
          hasData: true,
          toolCalls: [removing(`rm -r ${parts.join("").repeat(times)}`)],
          prompt: { offset: 0, digest: "0".repeat(16), timestamp: null, id: null },
          isWhole: true,
          skippedLines: 0,
          size: 0,
        },
        session: null,
        agent: "claude",
        transcriptPath: null,
      });
      if (files.some((file) => !changed.includes(file))) throw new Error("a file that has not changed");
    },
  ),
);
