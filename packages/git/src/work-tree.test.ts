import { chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { listChangedFiles } from "./status.ts";
import { peekHead, peekWorkTree, readHead, readWorkTree } from "./work-tree.ts";

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

/** Folders in and around a repository, each with whether git's own files tell the work tree. */
const places: readonly {
  readonly place: string;
  readonly isPeeked: boolean;
  readonly isSkipped?: boolean;
  readonly prepare: (root: string) => Promise<string> | string;
}[] = [
  { place: "the root", isPeeked: true, prepare: (root) => root },
  { place: "a folder in it", isPeeked: true, prepare: (root) => folderIn(root, "deep/er") },
  {
    place: "a folder behind a link",
    isPeeked: true,
    prepare: (root) => (symlinkSync(folderIn(root, "deep"), join(root, "link")), join(root, "link")),
  },
  { place: "a folder of git's", isPeeked: false, prepare: (root) => join(root, ".git/objects") },
  {
    place: "a linked work tree",
    isPeeked: false,
    prepare: async (root) => (await git(root, "worktree", "add", "--quiet", join(root, "tree")), join(root, "tree")),
  },
  {
    place: "a bare repository in it",
    isPeeked: false,
    prepare: async (root) => (await git(root, "init", "--quiet", "--bare", "inner"), folderIn(root, "inner/refs")),
  },
  {
    place: "a work tree that a setting names",
    isPeeked: false,
    prepare: async (root) => (await git(root, "config", "core.worktree", folderIn(root, "deep")), join(root, "deep")),
  },
  {
    place: "a repository behind a link",
    isPeeked: false,
    prepare: (root) => {
      renameSync(join(root, ".git"), join(root, "moved"));
      symlinkSync("moved", join(root, ".git"));
      return root;
    },
  },
  {
    place: "a repository of another owner",
    isPeeked: false,
    isSkipped: process.geteuid?.() !== 0,
    prepare: (root) => (chownSync(join(root, ".git"), 12_345, 12_345), root),
  },
  { place: "a repository without a HEAD", isPeeked: false, prepare: (root) => (rmSync(join(root, ".git/HEAD")), root) },
  {
    place: "a repository of a version to come",
    isPeeked: false,
    prepare: async (root) => (await git(root, "config", "core.repositoryFormatVersion", "99"), root),
  },
];

function folderIn(root: string, path: string): string {
  mkdirSync(join(root, path), { recursive: true });
  return join(root, path);
}

test.for(places.filter(({ isSkipped }) => isSkipped !== true))(
  "git's files tell the work tree as git does, or nothing: $place",
  async ({ isPeeked, prepare }) => {
    const folder = await prepare(await repository());
    const reading = await readWorkTree(folder);
    expect(peekWorkTree(folder)).toEqual(isPeeked && reading.ok ? reading.workTree : null);
    expect(reading.ok || !isPeeked).toBe(true);
  },
);

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
