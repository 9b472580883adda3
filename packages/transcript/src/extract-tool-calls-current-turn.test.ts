import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { extractToolCallsCurrentTurn, extractToolCallsCurrentTurnSync } from "./extract-tool-calls-current-turn.ts";
import { type TestFolder, copyRecordings, newFolder } from "./testing/copy-recordings.ts";
import { summarise } from "./testing/summarise.ts";
import { digest } from "./turn/find-turns.ts";

let folder: TestFolder;
let claude: TestFolder;
beforeAll(() => {
  claude = copyRecordings("claude");
  folder = newFolder();
  const at = (name: string): string => join(folder.path, name);
  mkdirSync(at("folder"));
  execFileSync("mkfifo", [at("fifo")]);
  writeFileSync(at("empty.jsonl"), "");
  writeFileSync(at("other.jsonl"), '{"hello":"world"}\n{"type":"user","message":"hi"}\n');
  writeFileSync(at("text.json"), "not JSON at all");
  writeFileSync(at("huge.json"), "");
  truncateSync(at("huge.json"), 65 * 1024 * 1024);
});
afterAll(() => {
  folder.remove();
  claude.remove();
});

const agents = ["claude", "gemini", "codex"] as const;

const refusals = [
  { file: "nothing.jsonl", reason: "missing" },
  { file: "folder", reason: "unreadable" },
  { file: "fifo", reason: "unreadable" },
  { file: "empty.jsonl", reason: "empty" },
  { file: "other.jsonl", reason: "not-a-transcript" },
  { file: "text.json", reason: "not-a-transcript" },
];

describe.for(agents)("for %s, no data", (agent) => {
  test.for(refusals)("from $file: $reason", ({ file, reason }) => {
    const timeline = extractToolCallsCurrentTurnSync(join(folder.path, file), agent);
    expect(timeline).toEqual({ hasData: false, toolCalls: [], reason });
  });
});

test("another agent's transcript is none", () => {
  const path = join(claude.path, "blocked-once-then-finished.jsonl");
  const expected = { hasData: false, toolCalls: [], reason: "not-a-transcript" };
  expect(extractToolCallsCurrentTurnSync(path, "gemini")).toEqual(expected);
  expect(extractToolCallsCurrentTurnSync(path, "codex")).toEqual(expected);
});

test("a whole-file transcript beyond the limit is too large to tell", () => {
  const timeline = extractToolCallsCurrentTurnSync(join(folder.path, "huge.json"), "gemini");
  expect(timeline).toEqual({ hasData: false, toolCalls: [], reason: "too-large" });
});

test("the asynchronous twin gives the same", async () => {
  const path = join(claude.path, "sub-agent.jsonl");
  expect(await extractToolCallsCurrentTurn(path, "claude")).toEqual(extractToolCallsCurrentTurnSync(path, "claude"));
});

test("a record tells everything that is known of its call", () => {
  const path = join(claude.path, "blocked-once-then-finished.jsonl");
  expect(extractToolCallsCurrentTurnSync(path, "claude").toolCalls[1]).toEqual({
    id: "toolu_000000000000000000000200",
    toolName: "Bash",
    kind: "shell",
    inputData: { command: "sh check.sh", description: "Run it" },
    command: "sh check.sh",
    cwd: "/home/dev/project",
    files: [],
    hadError: true,
    hasResult: true,
    rejected: false,
    exitCode: 3,
    resultSnippet: "Exit code 3\ntoo quiet",
    reports: [],
    timestamp: new Date("2026-11-16T02:47:56.062Z"),
    endedAt: new Date("2026-11-16T02:47:56.169Z"),
    by: "main",
  });
});

describe("while the agent works", () => {
  const lines = (name: string): readonly string[] =>
    readFileSync(join(claude.path, name), "utf8").trimEnd().split("\n");

  const upTo = (name: string, text: string): string => {
    const path = join(folder.path, "growing.jsonl");
    const all = lines(name);
    writeFileSync(path, `${all.slice(0, all.findIndex((line) => line.includes(text)) + 1).join("\n")}\n`);
    return path;
  };

  test("a call without a result is open", () => {
    const path = upTo("parallel-calls.jsonl", '"content":"slow"');
    expect(extractToolCallsCurrentTurnSync(path, "claude").toolCalls.map((call) => summarise(call))).toEqual([
      "shell sleep 1; echo slow: ok 0",
      "shell sh check.sh: no result",
      "shell echo quick: no result",
    ]);
  });

  test("a command in the background is unknown until it ends", () => {
    const path = upTo("task-notification.jsonl", '"text":"It runs."');
    const [call] = extractToolCallsCurrentTurnSync(path, "claude").toolCalls;
    expect(call).toMatchObject({ hadError: null, hasResult: true, exitCode: null });
  });

  test("a command that outlived its timeout is unknown until it ends", () => {
    const path = upTo("timed-out-call.jsonl", '"text":"It takes long."');
    const [call] = extractToolCallsCurrentTurnSync(path, "claude").toolCalls;
    expect(call).toMatchObject({ hadError: null, hasResult: true, exitCode: null });
  });

  test("a line that has only begun is passed over", () => {
    const path = upTo("blocked-once-then-finished.jsonl", '"text":"The check passes."');
    const before = extractToolCallsCurrentTurnSync(path, "claude");
    appendFileSync(path, '{"parentUuid":"x","type":"assistant","message":{"content":[{"type":"tool_u');
    const after = extractToolCallsCurrentTurnSync(path, "claude");
    expect(after).toMatchObject({ toolCalls: before.toolCalls, skippedLines: 1 });
  });
});

describe("knowing the prompt's id", () => {
  test("a notification's turn belongs to the human's prompt", () => {
    const path = join(claude.path, "task-notification.jsonl");
    const hinted = extractToolCallsCurrentTurnSync(path, "claude", {
      promptId: "10db6e55-0000-4000-8000-000000000012",
    });
    expect(hinted).toEqual(extractToolCallsCurrentTurnSync(path, "claude"));
    expect(hinted).toMatchObject({ prompt: { id: "10db6e55-0000-4000-8000-000000000004" } });
  });

  /** Up to 2.1.232 a built-in command did not say that it opened a turn. */
  const goalOfOldVersion = (): string => {
    const path = join(folder.path, "goal.jsonl");
    const recorded = readFileSync(join(claude.path, "goal-command.jsonl"), "utf8");
    writeFileSync(path, recorded.replaceAll('"turnOrigin":"sdk",', ""));
    return path;
  };

  test("a built-in command with that id opened the turn", () => {
    const timeline = extractToolCallsCurrentTurnSync(goalOfOldVersion(), "claude", {
      promptId: "b05630b5-0000-4000-8000-000000000004",
    });
    expect(timeline.toolCalls.map((call) => summarise(call))).toEqual(["shell sh check.sh: failed 3"]);
    expect(timeline).toMatchObject({ prompt: { id: "b05630b5-0000-4000-8000-000000000004" } });
  });

  test("an older prompt did not", () => {
    const path = join(folder.path, "older-prompt.jsonl");
    const older = readFileSync(join(claude.path, "continued-session.jsonl"), "utf8");
    writeFileSync(path, older + readFileSync(goalOfOldVersion(), "utf8"));
    const timeline = extractToolCallsCurrentTurnSync(path, "claude", {
      promptId: "b05630b5-0000-4000-8000-000000000004",
    });
    expect(timeline.toolCalls).toHaveLength(1);
    expect(timeline).toMatchObject({ prompt: { id: "b05630b5-0000-4000-8000-000000000004" } });
  });

  test("without it, a built-in command opens none", () => {
    expect(extractToolCallsCurrentTurnSync(goalOfOldVersion(), "claude")).toMatchObject({
      prompt: null,
      toolCalls: [],
    });
  });

  test("a built-in command in the middle of a turn does not open one", () => {
    const path = join(folder.path, "in-the-middle.jsonl");
    const all = readFileSync(join(claude.path, "blocked-once-then-finished.jsonl"), "utf8").trimEnd().split("\n");
    const id = "2bec03f2-0000-4000-8000-000000000003";
    const command = {
      type: "user",
      sessionId: "s",
      promptId: id,
      message: { content: "<command-name>/cost</command-name>" },
    };
    writeFileSync(path, all.toSpliced(20, 0, JSON.stringify(command)).join("\n"));
    expect(extractToolCallsCurrentTurnSync(path, "claude", { promptId: id })).toMatchObject({
      prompt: { digest: digest("Make the greeting loud"), id },
    });
  });
});

test("with the last message, the turn is read once it is on the disk", async () => {
  const path = join(folder.path, "growing.jsonl");
  const whole = join(claude.path, "blocked-once-then-finished.jsonl");
  const lines = readFileSync(whole, "utf8").trimEnd().split("\n");
  const last = lines.findIndex((line) => line.includes('"text":"The check passes."'));
  writeFileSync(path, `${lines.slice(0, last - 2).join("\n")}\n`);
  const before = extractToolCallsCurrentTurnSync(path, "claude");
  const reading = extractToolCallsCurrentTurn(path, "claude", { lastMessage: "The check passes." });
  appendFileSync(path, `${lines.slice(last - 2).join("\n")}\n`);
  expect(await reading).toEqual(extractToolCallsCurrentTurnSync(whole, "claude"));
  expect(await reading).not.toEqual(before);
});
