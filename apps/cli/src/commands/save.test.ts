import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@agent-checkpoint/store";
import { makeRepository, type SessionFacts, writeClaudeTranscript } from "@agent-checkpoint/fixtures";
import { execa } from "execa";
import { afterAll, expect, test } from "vitest";
import { runCheckpoint } from "../testing/run-checkpoint.ts";

const root = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-save-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A repository in which a session of Claude's has changed a file, known to the store. */
async function worked(branch = "work") {
  const folder = mkdtempSync(join(root, "case-"));
  const project = join(folder, "project");
  const transcript = join(folder, "session.jsonl");
  const turn = [{ read: "notes.md" }, { edit: "notes.md" }];
  const base = { name: "x", title: "x", prompt: "Take a note", minutes: 5, blocks: false, turn };
  await makeRepository(project, { ...base, committed: ["notes.md"], modified: ["notes.md"] });
  const git = async (...args: string[]) => (await execa("git", args, { cwd: project })).stdout;
  await git("checkout", "--quiet", "-B", branch);
  await git("config", "user.name", "Dev");
  await git("config", "user.email", "dev@example.com");
  const facts: SessionFacts = {
    sessionId: "3f1c0d77-0000-4000-8000-000000000001",
    promptId: "p-1",
    prompt: "Take a note",
    projectPath: project,
    promptAt: new Date("2026-03-02T09:00:00Z"),
    lastMessage: "Done.",
  };
  writeFileSync(transcript, writeClaudeTranscript(turn, facts));
  const home = join(folder, "home");
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  await opened.store.sessions.update("claude", facts.sessionId, { projectPath: project, transcriptPath: transcript });
  await opened.store.close();
  const userHome = join(folder, "user");
  mkdirSync(userHome);
  const checkpointIn = (cwd: string, ...args: string[]) => runCheckpoint(args, { cwd, home, userHome });
  const checkpoint = (...args: string[]) => checkpointIn(project, ...args);
  return { project, git, checkpoint, checkpointIn };
}

test(
  "commits the session's own file and says so; the second time there is nothing to do",
  { timeout: 60_000 },
  async () => {
    const { git, checkpoint } = await worked();
    const { exitCode, stdout, stderr } = await checkpoint("save");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const id = (await git("rev-parse", "HEAD")).slice(0, 12);
    expect(stdout).toMatch(new RegExp(`^Saved in ${id} on work:\n  CLAUDE.md\n  notes.md\nSnapshot: chk_\\S+ `));
    expect(await checkpoint("save")).toMatchObject({ exitCode: 0, stdout: "Nothing to save.\n" });
    const stats = JSON.parse((await checkpoint("stats", "--json")).stdout) as { saves: object };
    expect(stats.saves).toMatchObject({ tried: 2, committed: 1, nothingToDo: 1, successRate: 1 });
    expect((await checkpoint("stats")).stdout.replaceAll(/\s+/g, " ")).toContain(
      "2 attempts, 2.0 per day; 1 committed (100 % of those with something to save); 1 nothing-to-do.",
    );
  },
);

test("is refused on a protected branch, unless that is allowed", { timeout: 60_000 }, async () => {
  const { git, checkpoint } = await worked("main");
  const refused = await checkpoint("save", "--json");
  expect(refused.exitCode).toBe(2);
  expect(JSON.parse(refused.stdout)).toMatchObject({ outcome: "refused:protected-branch", commit: null });
  expect((await checkpoint("save")).stdout).toMatch(
    /^Not committed: the branch is protected \(.*main.*\)\.\nCommit on another one \(git switch -c <name>\), or add --allow-protected\.\n/,
  );
  expect(await git("status", "--porcelain")).toBe(" M notes.md");
  expect(await checkpoint("save", "--allow-protected")).toMatchObject({ exitCode: 0 });
});

test("a push that cannot be made is told, with an exit code of its own", { timeout: 60_000 }, async () => {
  const { checkpoint } = await worked();
  const { exitCode, stdout } = await checkpoint("save", "--push");
  expect(exitCode).toBe(1);
  expect(stdout).toContain("Not pushed: not pushed (no-upstream): work has no upstream");
});

test("a save in a work tree that is gone counts for its repository", { timeout: 60_000 }, async () => {
  const { project, git, checkpointIn } = await worked();
  const main = `${project}-main`;
  renameSync(project, main);
  await execa("git", ["worktree", "add", "--quiet", "-b", "tree", project], { cwd: main });
  cpSync(join(main, "notes.md"), join(project, "notes.md"));
  expect(await git("status", "--porcelain")).toBe(" M notes.md");
  expect(await checkpointIn(project, "save")).toMatchObject({ exitCode: 0 });
  rmSync(project, { recursive: true });
  expect(JSON.parse((await checkpointIn(main, "stats", "--json")).stdout)).toMatchObject({ saves: { tried: 1 } });
});
