import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findProjectRoot } from "./state-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "checkpoint-project-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const name of ["repo/.git", "repo/src/deep", "worktree/src", "plain/sub"])
  mkdirSync(join(folder, name), { recursive: true });
writeFileSync(join(folder, "worktree/.git"), "gitdir: elsewhere\n");

const cases = [
  { from: "the root of a repository", cwd: "repo", root: "repo" },
  { from: "a folder of it", cwd: "repo/src/deep", root: "repo" },
  { from: "a worktree", cwd: "worktree/src", root: "worktree" },
  { from: "no repository", cwd: "plain/sub", root: "plain/sub" },
  { from: "no repository, in an agent's project", cwd: "plain/sub", project: "plain", root: "plain" },
  { from: "a repository, whatever the agent's project", cwd: "repo/src", project: "plain", root: "repo" },
  { from: "a project that is gone", cwd: "plain", project: "gone", root: "plain" },
];
test.for(cases)("$from", ({ cwd, project, root }) => {
  const env = project === undefined ? {} : { CLAUDE_PROJECT_DIR: join(folder, project) };
  expect(findProjectRoot({ cwd: join(folder, cwd), env })).toBe(join(folder, root));
});

test("the top of the file system is no project", () => {
  for (const env of [{}, { CLAUDE_PROJECT_DIR: "/" }, { CLAUDE_PROJECT_DIR: "relative" }])
    expect(() => findProjectRoot({ cwd: "/", env })).toThrow(expect.objectContaining({ code: "no-folder" }));
});
