import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildChildProgram, type ChildProgram, runTogether } from "../../../../fixtures/src/child-processes.ts";
import { recoverWork, type SaveRequest } from "../index.ts";
import { aRepository, type ARepository } from "../testing/a-repository.ts";
import { agentSession } from "../testing/agent-session.ts";
import type { ChildOutcome } from "../testing/child.ts";

let program: ChildProgram;
beforeAll(async () => {
  program = await buildChildProgram(new URL("../testing/child.ts", import.meta.url));
}, 60_000);
afterAll(() => program.remove());

/** Saves in processes of their own, at once; null for one that was killed. */
async function saveInChildren(requests: readonly SaveRequest[], killAt = ""): Promise<(ChildOutcome | null)[]> {
  const commands = requests.map((request) => program.command("save", JSON.stringify(request), killAt));
  return (await runTogether(commands)) as (ChildOutcome | null)[];
}

/** A repository with work of the agent's and of a person's. */
async function worked(): Promise<ARepository> {
  const repository = await aRepository();
  const { agent, put, git } = repository;
  put("CLAUDE.md", "# Rules\n");
  await git("add", "CLAUDE.md");
  await git("commit", "--quiet", "--message", "rules");
  agent.edit("a.txt", "two", "TWO");
  agent.write("new.txt", "new\n");
  put("b.txt", "staged\n");
  await git("add", "b.txt");
  put("mine.txt", "a person's\n");
  return repository;
}

const STEPS = ["ledger", "snapshot", "journal", "status-document", "commit", "committed"];

test("the steps are these", { timeout: 60_000 }, async () => {
  const { request } = await worked();
  const [outcome] = await saveInChildren([request()]);
  expect(outcome?.steps).toEqual(STEPS);
});

test.for(STEPS.slice(0, 4))("killed at `%s`: the repository is as before", { timeout: 60_000 }, async (killAt) => {
  const { request, state, project, save } = await worked();
  const before = await state();
  expect(await saveInChildren([request()], killAt)).toEqual([null]);
  await recoverWork(project);
  expect(await state()).toEqual(before);
  expect(await save()).toMatchObject({ outcome: "committed", files: ["CLAUDE.md", "a.txt", "new.txt"] });
});

test.for(STEPS.slice(4))(
  "killed at `%s`: the repository holds the whole commit",
  { timeout: 60_000 },
  async (killAt) => {
    const { request, lastCommit, project, git } = await worked();
    expect(await saveInChildren([request()], killAt)).toEqual([null]);
    await recoverWork(project);
    expect(await lastCommit()).toEqual(["CLAUDE.md", "a.txt", "new.txt"]);
    expect(await git("status", "--porcelain")).toBe("M  b.txt\n?? mine.txt");
  },
);

test(
  "killed while git commits: git ends its work, and the repository holds the whole commit",
  { timeout: 60_000 },
  async () => {
    const { request, lastCommit, hook, project, git } = await worked();
    // The hook's parent is git, whose parent is the process that saves.
    hook("pre-commit", "kill -9 $(ps -o ppid= -p $PPID | tr -d ' '); sleep 1");
    expect(await saveInChildren([request()])).toEqual([null]);
    expect(await recoverWork(project)).toBe("was-committed");
    expect(await lastCommit()).toEqual(["CLAUDE.md", "a.txt", "new.txt"]);
    expect(await git("status", "--porcelain")).toBe("M  b.txt\n?? mine.txt");
  },
);

test("killed while git commits, and git refuses: the repository is as before", { timeout: 60_000 }, async () => {
  const { request, state, hook, project } = await worked();
  const before = await state();
  hook("pre-commit", "kill -9 $(ps -o ppid= -p $PPID | tr -d ' '); sleep 1; exit 1");
  expect(await saveInChildren([request()])).toEqual([null]);
  expect(await recoverWork(project)).toBe("undone");
  expect(await state()).toEqual(before);
});

test("six sessions at once: all commits land, and none holds another's file", { timeout: 120_000 }, async () => {
  const { project, folder, request, git } = await aRepository();
  const sessions = [1, 2, 3, 4, 5, 6].map((number) => {
    const agent = agentSession(project, join(folder, "transcripts"), `six-${number}`);
    agent.write(`of-${number}.txt`, `session ${number}\n`);
    agent.write(`src/${number}/deep.txt`, `session ${number}\n`);
    return agent;
  });
  const outcomes = await saveInChildren(
    sessions.map(({ sessionId, transcriptPath }) => request({ sessionId, transcriptPath, budgetMs: 60_000 })),
  );
  expect(outcomes.map((outcome) => outcome?.report.outcome)).toEqual(sessions.map(() => "committed"));
  expect(outcomes.map((outcome) => outcome?.report.files)).toEqual(
    [1, 2, 3, 4, 5, 6].map((number) => ["CLAUDE.md", `of-${number}.txt`, `src/${number}/deep.txt`]),
  );
  for (const outcome of outcomes) {
    const { commit, files } = outcome?.report ?? {};
    const held = await git("diff-tree", "--no-commit-id", "--name-only", "-r", commit ?? "");
    expect(held.split("\n")).toEqual(files);
  }
  expect(await git("rev-list", "--count", "HEAD")).toBe("7");
  expect(await git("status", "--porcelain")).toBe("");
  expect(readFileSync(join(project, "CLAUDE.md"), "utf8").match(/## Last Session/g)).toHaveLength(1);
});
