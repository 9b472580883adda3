import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { listChangedFiles } from "./status.ts";
import { peekHead, readHead } from "./work-tree.ts";

const git = (cwd: string, ...args: readonly string[]) =>
  execa("git", ["-c", "user.name=dev", "-c", "user.email=dev@example.com", ...args], { cwd });

/** A repository with one commit. */
async function repository(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "checkpoint-git-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  await git(root, "init", "--quiet", "--initial-branch=main");
  await commit(root, "a.ts");
  return root;
}

async function commit(root: string, file: string): Promise<void> {
  writeFileSync(join(root, file), file);
  await git(root, "add", "--all");
  await git(root, "commit", "--quiet", "--message", file);
}

const states = [
  { state: "a branch", prepare: async (root: string) => root },
  { state: "packed refs", prepare: async (root: string) => (await git(root, "pack-refs", "--all"), root) },
  {
    state: "a detached head",
    prepare: async (root: string) => (await git(root, "checkout", "--quiet", "--detach"), root),
  },
  {
    state: "a worktree",
    prepare: async (root: string) => {
      await git(root, "worktree", "add", "--quiet", join(root, "tree"), "-b", "other");
      await commit(join(root, "tree"), "b.ts");
      return join(root, "tree");
    },
  },
];
test.for(states)("git's files tell the head as git does: $state", async ({ prepare }) => {
  const root = await prepare(await repository());
  expect(peekHead(root)).toBe(await readHead(root));
  expect(peekHead(root)).toMatch(/^[0-9a-f]{40}$/);
});

test("no repository and no commit have no head", async () => {
  const root = mkdtempSync(join(tmpdir(), "checkpoint-git-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  expect(peekHead(root)).toBeNull();
  await git(root, "init", "--quiet");
  expect(peekHead(root)).toBeNull();
});

test("what was committed since a commit counts among the changed files", async () => {
  const root = await repository();
  const since = peekHead(root);
  await commit(root, "b.ts");
  writeFileSync(join(root, "c.ts"), "c");
  const list = async (from: string | null) => listChangedFiles(root, { untracked: true, since: from });
  expect(await list(since)).toMatchObject({ files: ["b.ts", "c.ts"] });
  expect(await list(peekHead(root))).toMatchObject({ files: ["c.ts"] });
  expect(await list(null)).toMatchObject({ files: ["c.ts"] });
  expect(await list("--output=/tmp/x")).toMatchObject({ files: ["c.ts"] });
});
