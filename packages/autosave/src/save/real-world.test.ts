import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aRepository } from "../testing/a-repository.ts";

describe("files that the agent moves and removes by git", () => {
  const moves = [
    { command: "git mv a.txt c.txt", files: ["CLAUDE.md", "a.txt", "c.txt"] },
    { command: "git rm a.txt", files: ["CLAUDE.md", "a.txt"] },
    { command: "git rm -q a.txt b.txt", files: ["CLAUDE.md", "a.txt", "b.txt"] },
  ];
  test.for(moves)("$command", async ({ command, files }) => {
    const { agent, save, git, lastCommit, project } = await aRepository();
    // A file that is moved keeps its date.
    for (const file of ["a.txt", "b.txt"]) utimesSync(join(project, file), 1_700_000_000, 1_700_000_000);
    agent.ran(command, () => execFileSync("sh", ["-c", command], { cwd: project }));
    expect(await save()).toMatchObject({ outcome: "committed", files, leftOut: {} });
    expect(await lastCommit()).toEqual(files);
    expect(await git("status", "--porcelain")).toBe("");
  });

  test("git mv of a file that the agent has edited", async () => {
    const { agent, save, git, project } = await aRepository();
    agent.edit("a.txt", "two", "TWO");
    agent.ran("git mv a.txt c.txt", () => execFileSync("git", ["mv", "a.txt", "c.txt"], { cwd: project }));
    agent.edit("c.txt", "one", "ONE");
    expect(await save()).toMatchObject({ outcome: "committed" });
    expect(await git("show", "HEAD:c.txt")).toBe("ONE\nTWO\nthree");
    expect(await git("status", "--porcelain")).toBe("");
  });
});

test("a staged `git rm --cached` of a person stays staged", async () => {
  const { agent, save, git, lastCommit } = await aRepository();
  agent.edit("a.txt", "two", "TWO");
  agent.write("c.txt", "agent's\n");
  await git("rm", "--quiet", "--cached", "a.txt");
  expect(await save()).toMatchObject({ outcome: "committed", leftOut: { "a.txt": "staged" } });
  expect(await lastCommit()).toEqual(["CLAUDE.md", "c.txt"]);
  expect(await git("status", "--porcelain")).toBe("D  a.txt\n?? a.txt");
});

test("words that a person puts into the status document at the last moment stay", async () => {
  const { agent, save, put, project, git } = await aRepository();
  put("CLAUDE.md", "# Project\n");
  await git("add", "CLAUDE.md");
  await git("commit", "--quiet", "--message", "document");
  agent.edit("a.txt", "two", "TWO");
  const before = await git("rev-parse", "HEAD");
  const report = await save(
    {},
    { onStep: (step) => step === "journal" && put("CLAUDE.md", "# Project\n\nMy words.\n") },
  );
  expect(report).toMatchObject({ outcome: "refused:status-document", commit: null });
  expect(readFileSync(join(project, "CLAUDE.md"), "utf8")).toBe("# Project\n\nMy words.\n");
  expect(await git("rev-parse", "HEAD")).toBe(before);
  expect(await save()).toMatchObject({ outcome: "committed", leftOut: { "CLAUDE.md": "mixed" } });
});

test("a path behind a link is left out, and the rest is committed", async () => {
  const { agent, save, project, git, put } = await aRepository();
  put("real/x.txt", "x\n");
  symlinkSync("real", join(project, "linked"));
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "a link");
  agent.edit("linked/x.txt", "x", "X");
  agent.write("c.txt", "agent's\n");
  const report = await save();
  expect(report).toMatchObject({ outcome: "committed" });
  expect(report.files).toContain("c.txt");
  expect(await save()).toMatchObject({ outcome: expect.not.stringContaining("failed") });
});

test("a link to a folder outside that has taken the place of a folder does not fail the save", async () => {
  const { agent, save, project, folder, git, put } = await aRepository();
  put("lib/x.txt", "x\n");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "a folder");
  mkdirSync(join(folder, "elsewhere"));
  agent.ran("rm -r lib && ln -s ../elsewhere lib", () =>
    execFileSync("sh", ["-c", "rm -r lib && ln -s ../elsewhere lib"], { cwd: project }),
  );
  agent.write("lib/y.txt", "y\n");
  agent.write("c.txt", "agent's\n");
  expect(await save()).toMatchObject({ outcome: "committed", leftOut: { "lib/y.txt": "link" } });
});

test("a token behind the first megabyte of a file keeps the file out", async () => {
  const { agent, save, lastCommit } = await aRepository();
  const token = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
  agent.write("large.txt", `${"words without a secret\n".repeat(60_000)}token = "${token}"\n`);
  agent.write("c.txt", "agent's\n");
  expect(await save()).toMatchObject({ outcome: "committed", leftOut: { "large.txt": "secret" } });
  expect(await lastCommit()).toEqual(["CLAUDE.md", "c.txt"]);
});

test("what the disk refuses is an outcome and no exception", async () => {
  const { agent, save, project, git } = await aRepository();
  agent.edit("a.txt", "two", "TWO");
  writeFileSync(join(project, ".git", "agent-checkpoint-direct"), "in the way");
  expect(await save()).toMatchObject({ outcome: "failed:disk", detail: expect.stringContaining("EEXIST") });
  expect(await git("status", "--porcelain")).toBe(" M a.txt");
});
