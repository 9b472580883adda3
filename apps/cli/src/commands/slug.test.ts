import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentName } from "@agent-checkpoint/transcript";
import { execa } from "execa";
import { beforeEach, describe, expect, test } from "vitest";
import type { Environment } from "../environment.ts";
import { type CliRun, runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { withStore } from "../with-store.ts";

let folder = "";
let home = "";
let repository = "";

beforeEach(async () => {
  folder = scratchFolder();
  home = join(folder, "home");
  repository = join(folder, "app");
  mkdirSync(join(repository, "todos", "retry-backoff"), { recursive: true });
  writeFileSync(join(repository, "todos", "retry-backoff", "implementation-plan.md"), "# Plan\n");
  await execa("git", ["init", "--quiet"], { cwd: repository });
});

function run(args: readonly string[], given: Partial<Environment> = {}): Promise<CliRun> {
  return runCheckpoint(["slug", ...args], { cwd: repository, userHome: folder, home, ...given });
}

function withSession(
  agent: AgentName,
  sessionId: string,
  { minute = 0, projectPath = repository } = {},
): Promise<void> {
  const prompt = { projectPath, transcriptPath: null, turn: "t", at: new Date(Date.UTC(2026, 10, 16, 12, minute)) };
  return withStore(home, (store) => store.sessions.prompt({ ...prompt, agent, sessionId }));
}

const json = ({ stdout }: CliRun) => JSON.parse(stdout);

test("is set, shown and taken away", async () => {
  await withSession("claude", "c-1");
  expect((await run([])).stdout).toBe("No working slug (claude session c-1).\n");
  const set = "retry-backoff (claude session c-1)\nPlan: todos/retry-backoff/implementation-plan.md\n";
  expect((await run(["retry-backoff"])).stdout).toBe(set);
  expect((await run([])).stdout).toBe(set);
  expect(json(await run(["--json"]))).toEqual({
    agent: "claude",
    sessionId: "c-1",
    projectPath: repository,
    workingSlug: "retry-backoff",
    plan: { path: "todos/retry-backoff/implementation-plan.md", exists: true },
  });
  expect((await run(["--clear"])).stdout).toBe("No working slug (claude session c-1).\n");
  expect(json(await run(["--json"]))).toMatchObject({ workingSlug: null, plan: null });
});

test("a plan that is missing is told", async () => {
  await withSession("claude", "c-1");
  expect((await run(["other"])).stdout).toContain(
    "There is no plan yet: todos/other/implementation-plan.md is missing.",
  );
});

describe("which session", () => {
  beforeEach(async () => {
    await withSession("claude", "c-old", { minute: 1 });
    await withSession("codex", "x-1", { minute: 2 });
    await withSession("claude", "c-new", { minute: 3, projectPath: join(repository, "todos") });
    await withSession("gemini", "g-elsewhere", { minute: 4, projectPath: folder });
  });
  const cases: { title: string; args?: string[]; env?: Environment["env"]; found: string }[] = [
    { title: "the newest of the repository", found: "c-new" },
    { title: "the newest of an agent", args: ["--agent", "codex"], found: "x-1" },
    { title: "one by its id", args: ["--session", "c-old"], found: "c-old" },
    { title: "the one whose shell call this is", env: { CODEX_THREAD_ID: "x-1" }, found: "x-1" },
    {
      title: "one that has not been heard of, in its own call",
      env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "c-3" },
      found: "c-3",
    },
    { title: "the newest of the agent whose shell call this is", env: { CODEX_CI: "1" }, found: "x-1" },
    {
      title: "an id before the environment",
      args: ["--session", "c-old"],
      env: { CODEX_THREAD_ID: "x-1" },
      found: "c-old",
    },
    {
      title: "the named one of two agents around",
      args: ["--agent", "claude"],
      env: { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "c-old", CODEX_THREAD_ID: "x-1" },
      found: "c-old",
    },
  ];
  test.for(cases)("$title", async ({ args = [], env = {}, found }) => {
    expect(json(await run([...args, "retry-backoff", "--json"], { env }))).toMatchObject({ sessionId: found });
    expect(json(await run(["--session", found, "--json"]))).toMatchObject({ workingSlug: "retry-backoff" });
  });

  const refused: { title: string; args?: string[]; env?: Environment["env"]; cwd?: string; said: RegExp }[] = [
    { title: "one of two agents around", env: { CLAUDECODE: "1", CODEX_CI: "1" }, said: /Claude Code inside Codex/ },
    { title: "none of this agent here", args: ["--agent", "gemini"], said: /no session is known in / },
    { title: "an unknown id", args: ["--session", "zzz"], said: /no session zzz is known/ },
    { title: "an empty id", args: ["--session", ""], said: /no session {2}is known/ },
    { title: "several that begin so", args: ["--session", "c-"], said: /2 sessions begin with c-/ },
  ];
  test.for(refused)("refused: $title", async ({ args = [], env = {}, said }) => {
    expect(await run(args, { env })).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringMatching(said) });
  });
});

describe("what is no folder name", () => {
  const cases = ["../up", "a/b", "..", ".", "", "a\\b", "x".repeat(201)];
  test.for(cases)("%j", async (name) => {
    await withSession("claude", "c-1");
    expect(await run(["--", name])).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringMatching(/is not a plain folder name\nA slug is the name of a folder under todos\//),
    });
    expect(json(await run(["--json"]))).toMatchObject({ workingSlug: null });
  });
});

test("a name and --clear exclude each other", async () => {
  await withSession("claude", "c-1");
  expect(await run(["a", "--clear"])).toMatchObject({ exitCode: 2 });
});

test("what would act on a terminal is shown as an escape", async () => {
  await withSession("claude", "c-1");
  expect((await run(["a\u001B[31mb"])).stdout).toContain(String.raw`a\x1b[31mb (claude`);
});
