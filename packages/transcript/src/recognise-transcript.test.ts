import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AgentName } from "./formats/agent-names.ts";
import { recogniseTranscript } from "./find-transcript.ts";
import { type TestFolder, newFolder } from "./testing/copy-recordings.ts";
import { listRecordings } from "./testing/list-recordings.ts";

let folder: TestFolder;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => folder.remove());

const write = (path: string, ...lines: readonly (object | string)[]): string => {
  const file = join(folder.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => (typeof line === "string" ? line : `${JSON.stringify(line)}\n`)).join(""));
  return file;
};

const fixture = (agent: AgentName, name: string): string =>
  fileURLToPath(new URL(`../fixtures/${agent}/${name}`, import.meta.url));

/** Which recordings are those of sub-agents. */
const SUB_AGENTS: Readonly<Partial<Record<AgentName, RegExp>>> = {
  claude: /(?:^|\/)agent-/,
  gemini: /\//,
  qwen: /(?:^|\/)agent-/,
  opencode: /^29447fab/,
  codex: /(?:f7885b86-.*3|29447fab-.*e)\.jsonl$/,
};

test.for(listRecordings())("$agent/$name", ({ agent, name }) => {
  expect(recogniseTranscript(fixture(agent, name))).toMatchObject({
    status: "read",
    agentName: agent,
    sessionId: expect.stringMatching(/^[0-9a-f-]{30,36}$/),
    isSubAgent: SUB_AGENTS[agent]?.test(name) ?? false,
  });
});

const renamed: readonly { agent: AgentName; name: string; session: string; project: string | null }[] = [
  {
    agent: "claude",
    name: "continued-session.jsonl",
    session: "1f2b6790-0000-4000-8000-000000000002",
    project: "/home/dev/project",
  },
  {
    agent: "claude",
    name: "sub-agent-1.0.128.jsonl",
    session: "ed3b3cd6-0000-4000-8000-000000000002",
    project: "/home/dev/project",
  },
  {
    agent: "gemini",
    name: "two-prompts.jsonl",
    session: "f325f7e9-0000-4000-8000-000000000002",
    project: null,
  },
  {
    agent: "gemini",
    name: "denied-once-then-finished-0.38.2.json",
    session: "f191f457-0000-4000-8000-000000000002",
    project: null,
  },
  {
    agent: "codex",
    name: "resumed-session.jsonl",
    session: "8c45eff7-0000-7000-8000-000000000002",
    project: "/home/dev/project",
  },
  {
    // The bare first line does not name the folder.
    agent: "codex",
    name: "shell-calls-0.20.0.jsonl",
    session: "cc3c0f27-0000-4000-8000-000000000001",
    project: null,
  },
];

test.for(renamed)("$agent/$name under another name", ({ agent, name, session, project }) => {
  const path = join(folder.path, "export.txt");
  copyFileSync(fixture(agent, name), path);
  expect(recogniseTranscript(path)).toEqual({
    status: "read",
    agentName: agent,
    sessionId: session,
    projectPath: project,
    isSubAgent: false,
  });
});

describe("the project of a Claude Code session", () => {
  test("is the folder of its first line, wherever the agent went", () => {
    const path = write(
      "session.jsonl",
      { type: "summary", summary: "An older one", leafUuid: "x" },
      { type: "queue-operation", sessionId: "s", cwd: "/elsewhere" },
      { type: "user", sessionId: "s", cwd: "/home/dev/app", message: { content: "Hello" } },
      { type: "user", sessionId: "s", cwd: "/home/dev/app/src", message: { content: "Hello again" } },
    );
    expect(recogniseTranscript(path)).toMatchObject({ agentName: "claude", projectPath: "/home/dev/app" });
  });
});

describe("the project of a Gemini CLI session", () => {
  const PROJECT = "/home/dev/my app";
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const meta = (projectHash: string): object => ({ sessionId: "s", projectHash, kind: "main" });
  const asked = (text: string): object => ({ id: "m", type: "user", content: [{ text }] });
  const projectOf = (path: string): unknown => {
    const found = recogniseTranscript(path);
    return found.status === "read" ? found.projectPath : found;
  };

  test("is what the folder above its chats says", () => {
    write("tmp/my-app/.project_root", `${PROJECT}\n`);
    const path = write("tmp/my-app/chats/session-1.jsonl", meta(sha256("/elsewhere")), asked("Look at /elsewhere"));
    expect(projectOf(path)).toBe(PROJECT);
  });

  test("is not what an empty mark says", () => {
    write("tmp/my-app/.project_root", "\n");
    expect(projectOf(write("tmp/my-app/chats/session-1.jsonl", meta("00")))).toBeNull();
  });

  const named = [
    { text: "Look at /home/dev/app", project: "/home/dev/app" },
    { text: "Look at `/home/dev/app/src/deep/greet.py`, please", project: "/home/dev/app" },
    { text: "First /home/other/a.py:3, then (/home/dev/app/b.py)", project: "/home/dev/app" },
    { text: "Look at src/greet.py", project: null },
    { text: "Look at /home/dev/app2/greet.py", project: null },
  ];

  test.for(named)("has the hash: $text", ({ text, project }) => {
    expect(projectOf(write("session.jsonl", meta(sha256("/home/dev/app")), asked(text)))).toBe(project);
  });

  test("cannot be told by a hash that is none", () => {
    expect(projectOf(write("session.jsonl", meta("my-app"), asked("Look at /home/dev/app")))).toBeNull();
  });

  test("is not searched for without end", () => {
    const paths = Array.from({ length: 5000 }, (_, index) => `/folder-${index}`).join(" ");
    const path = write("session.jsonl", meta(sha256("/home/dev/app")), asked(`${paths} /home/dev/app`));
    expect(projectOf(path)).toBeNull();
  });
});

describe("no transcript", () => {
  const others = [
    { file: "empty", text: "", reason: "empty" },
    { file: "text", text: "not JSON at all", reason: "not-a-transcript" },
    { file: "another log", text: '{"hello":"world"}\n{"type":"user","message":"hi"}\n', reason: "not-a-transcript" },
    { file: "a package", text: '{\n  "name": "app",\n  "version": "1.0.0"\n}\n', reason: "not-a-transcript" },
  ];

  test.for(others)("$file: $reason", ({ text, reason }) => {
    expect(recogniseTranscript(write("file.jsonl", text))).toEqual({ status: "refused", reason });
  });

  test("a file that is not there", () => {
    const path = join(folder.path, "nothing.jsonl");
    expect(recogniseTranscript(path)).toEqual({ status: "refused", reason: "missing" });
  });

  test("a FIFO, which nobody waits for", () => {
    const path = join(folder.path, "fifo");
    execFileSync("mkfifo", [path]);
    expect(recogniseTranscript(path)).toEqual({ status: "refused", reason: "unreadable" });
  });
});
