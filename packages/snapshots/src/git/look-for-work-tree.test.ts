import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createWorkspace, runTestGit, type Workspace } from "../testing/workspace.ts";
import { findWorkTree } from "./find-work-tree.ts";
import { lookAtHead } from "./look-at-head.ts";
import { lookForWorkTree } from "./look-for-work-tree.ts";

interface Case {
  readonly place: string;
  readonly make: (workspace: Workspace) => string | void;
  /** Whether a look is enough; what it sees is then what git says. */
  readonly isSeen: boolean;
}

/** Folders, given from the root, and whether it takes git to tell what they lie in. */
const CASES: readonly Case[] = [
  { place: "the root", make: () => undefined, isSeen: true },
  { place: "a folder in it", make: () => "src/deep", isSeen: true },
  { place: "a detached HEAD", make: ({ git }) => void git("checkout", "--quiet", "--detach"), isSeen: true },
  {
    place: "no store yet",
    make: ({ root }) => rmSync(join(root, ".git/agent-checkpoint"), { recursive: true }),
    isSeen: false,
  },
  {
    place: "a config that names a work tree",
    make: ({ git }) => void git("config", "core.worktree", "../src"),
    isSeen: false,
  },
  { place: "a bare repository", make: ({ git }) => void git("config", "core.bare", "true"), isSeen: false },
  {
    place: "an extension",
    make: ({ git }) => void git("config", "extensions.worktreeConfig", "true"),
    isSeen: false,
  },
  {
    place: "a version that is not known",
    make: ({ git }) => void git("config", "core.repositoryFormatVersion", "7"),
    isSeen: false,
  },
  {
    place: "a link to a repository",
    make: ({ root }) => {
      renameSync(join(root, ".git"), `${root}-git`);
      symlinkSync(`${root}-git`, join(root, ".git"));
    },
    isSeen: false,
  },
  {
    place: "a linked work tree",
    make: ({ git, root }) => {
      git("worktree", "add", "--quiet", "-b", "other", `${root}-tree`);
      return "../work-tree";
    },
    isSeen: false,
  },
  {
    place: "a repository inside, torn",
    make: ({ root }) => {
      mkdirSync(join(root, "src/.git"));
      return "src/deep";
    },
    isSeen: false,
  },
  {
    place: "the folder of a repository itself",
    make: ({ root }) => {
      runTestGit(root, ["init", "--quiet", "--bare", "src/deep"]);
      return "src/deep";
    },
    isSeen: false,
  },
];

test.for(CASES)("$place", async ({ make, isSeen }) => {
  const workspace = createWorkspace({ committed: { "src/deep/a.txt": "one\n" } });
  mkdirSync(join(workspace.root, ".git/agent-checkpoint"));
  const folder = realpathSync(join(workspace.root, make(workspace) ?? "."));
  const seen = lookForWorkTree(folder);
  rmSync(join(workspace.root, ".git/agent-checkpoint"), { recursive: true, force: true });
  expect(seen).toEqual(isSeen ? await findWorkTree(folder) : null);
});

/** Where a commit of HEAD can stand, and whether its files tell. */
const HEADS: readonly {
  readonly head: string;
  readonly make: (workspace: Workspace) => void;
  readonly isSeen: boolean;
}[] = [
  { head: "a branch", make: () => undefined, isSeen: true },
  { head: "a branch with a slash", make: ({ git }) => void git("checkout", "--quiet", "-b", "a/b"), isSeen: true },
  { head: "a detached HEAD", make: ({ git }) => void git("checkout", "--quiet", "--detach"), isSeen: true },
  { head: "a packed ref", make: ({ git }) => void git("pack-refs", "--all"), isSeen: true },
  {
    head: "a packed ref among others, one of them with its name at the end",
    make: ({ git }) => {
      git("branch", "x/refs/heads/main", "HEAD~1");
      git("tag", "--annotate", "--message", "tag", "a-tag", "HEAD~1");
      git("pack-refs", "--all");
    },
    isSeen: true,
  },
  {
    head: "a ref that is newer than the packed one",
    make: ({ git, write }) => {
      git("pack-refs", "--all");
      write("a.txt", "three\n");
      git("commit", "--quiet", "--all", "--message", "third");
    },
    isSeen: true,
  },
  {
    head: "a branch without a commit",
    make: ({ git }) => void git("checkout", "--quiet", "--orphan", "new"),
    isSeen: false,
  },
  {
    head: "a ref that names another one",
    make: ({ git }) => {
      git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
      git("symbolic-ref", "HEAD", "refs/heads/alias");
    },
    isSeen: false,
  },
];

test.for(HEADS)("HEAD: $head", async ({ make, isSeen }) => {
  const workspace = createWorkspace({ committed: { "a.txt": "one\n" } });
  workspace.write("a.txt", "two\n");
  workspace.git("commit", "--quiet", "--all", "--message", "second");
  make(workspace);
  const tree = await findWorkTree(workspace.root);
  if ("none" in tree) throw new Error(tree.none);
  expect(lookAtHead(tree)).toBe(isSeen ? workspace.git("rev-parse", "HEAD").trim() : null);
});

test("a work tree of somebody else's is for git to judge", () => {
  const { root } = createWorkspace({ committed: { "a.txt": "one\n" } });
  mkdirSync(join(root, ".git/agent-checkpoint"));
  const who = vi.spyOn(process, "geteuid").mockReturnValue(4711);
  onTestFinished(() => who.mockRestore());
  expect(lookForWorkTree(root)).toBeNull();
});
