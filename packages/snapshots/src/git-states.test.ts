import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  createCheckpoint,
  type CreateResult,
  listCheckpoints,
  restoreCheckpoint,
  restoreInto,
  verifyCheckpoints,
} from "./index.ts";
import { createWorkspace, photograph, photographGit, runTestGit, type Workspace } from "./testing/workspace.ts";

/** The report of a checkpoint that must exist. */
function created(
  result: CreateResult,
): NonNullable<CreateResult["report"]["checkpoint"]> & { readonly assumptions: readonly string[] } {
  if (result.status !== "created" || result.report.checkpoint === null)
    throw new Error("message" in result ? result.message : "none");
  return { ...result.report.checkpoint, assumptions: result.report.assumptions };
}

/** The states of a repository in which `git stash` fails, loses something or stores nothing. */
const STATES: readonly {
  readonly state: string;
  readonly make: (workspace: Workspace) => void;
  readonly assumes?: string;
}[] = [
  { state: "a clean tree", make: () => undefined },
  {
    state: "HEAD without a commit",
    make: ({ git, root }) => {
      rmSync(join(root, ".git"), { recursive: true });
      git("init", "--quiet");
      git("add", "a.txt");
    },
    assumes: "HEAD has no commit yet",
  },
  {
    state: "partial staging",
    make: ({ git, write }) => {
      write("a.txt", "staged\n");
      git("add", "a.txt");
      write("a.txt", "staged\nand more\n");
    },
  },
  {
    state: "intent to add",
    make: ({ git, write }) => {
      write("intended.txt", "new\n");
      git("add", "--intent-to-add", "intended.txt");
    },
  },
  {
    state: "a merge with a conflict",
    make: ({ git, write }) => {
      git("checkout", "--quiet", "-b", "other");
      write("a.txt", "theirs\n");
      git("commit", "--quiet", "--all", "--message", "theirs");
      git("checkout", "--quiet", "main");
      write("a.txt", "ours\n");
      git("commit", "--quiet", "--all", "--message", "ours");
      expect(() => git("merge", "other")).toThrow("Command failed");
    },
    assumes: "unmerged paths",
  },
  {
    state: "a rebase that stopped",
    make: ({ git, write }) => {
      git("checkout", "--quiet", "-b", "other");
      write("a.txt", "theirs\n");
      git("commit", "--quiet", "--all", "--message", "theirs");
      git("checkout", "--quiet", "main");
      write("a.txt", "ours\n");
      git("commit", "--quiet", "--all", "--message", "ours");
      expect(() => git("rebase", "other")).toThrow("Command failed");
    },
    assumes: "rebase is under way",
  },
  {
    state: "a submodule with changes",
    make: ({ git, root }) => {
      const inner = `${root}-inner`;
      mkdirSync(inner);
      onTestFinished(() => rmSync(inner, { recursive: true }));
      runTestGit(inner, ["init", "--quiet"]);
      writeFileSync(join(inner, "lib.py"), "lib\n");
      runTestGit(inner, ["add", "--all"]);
      runTestGit(inner, ["commit", "--quiet", "--message", "inner"]);
      git("submodule", "--quiet", "add", inner, "vendor");
      git("commit", "--quiet", "--message", "submodule");
      writeFileSync(join(root, "vendor/lib.py"), "changed\n");
    },
    assumes: "`vendor` is a repository of its own",
  },
  {
    state: "a repository inside without a commit",
    make: ({ root, write }) => {
      write("nested/file", "inner\n");
      runTestGit(join(root, "nested"), ["init", "--quiet"]);
    },
    assumes: "`nested` is a repository of its own",
  },
  {
    state: "a filter that is not installed",
    make: ({ git, write }) => {
      git("config", "filter.lfs.required", "true");
      git("config", "filter.lfs.clean", "no-such-program %f");
      write(".gitattributes", "*.bin filter=lfs\n* text=auto\n");
      write("x.bin", "raw\r\n");
      write("a.txt", "crlf\r\n");
    },
  },
  {
    state: "a file that git shall assume unchanged",
    make: ({ git, write }) => {
      git("update-index", "--assume-unchanged", "a.txt");
      write("a.txt", "changed all the same\n");
    },
  },
  {
    state: "hooks and a signer that fail",
    make: ({ git, write, root }) => {
      git("config", "commit.gpgSign", "true");
      git("config", "gpg.program", "false");
      write("b.txt", "changed\n");
      writeFileSync(join(root, ".git/hooks/reference-transaction"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    },
  },
];

test.for(STATES)(
  "with $state, everything is captured, nothing is disturbed, and it comes back",
  async ({ make, assumes }) => {
    const workspace = createWorkspace({ committed: { "a.txt": "one\n", "b.txt": "two\n" } });
    const { root, options, write } = workspace;
    make(workspace);
    const look = (): unknown => ({
      files: photograph(root, { times: true }),
      git: photographGit(root),
      status: runTestGit(root, ["status", "--porcelain=v2"]),
    });
    const before = look();
    const files = photograph(root);
    const checkpoint = created(await createCheckpoint({ scope: ".", reason: "a reason" }, options));
    expect(look()).toEqual(before);
    expect(checkpoint).toMatchObject({ type: "git_stash" });
    expect(checkpoint.assumptions.join("\n")).toContain(assumes ?? "");
    const store = join(root, ".git/agent-checkpoint/snapshots.git");
    expect(
      runTestGit(root, ["--git-dir", store, "log", "--no-walk", "--format=%s", `refs/snapshots/${checkpoint.id}`]),
    ).toBe(`checkpoint:${checkpoint.id}:a reason\n`);
    write("a.txt", "broken\n");
    rmSync(join(root, "b.txt"));
    expect(await restoreCheckpoint({ id: checkpoint.id }, options)).toMatchObject({
      report: { verification: { match: true } },
    });
    expect(photograph(root)).toEqual(files);
  },
);

test("the commit has the shape of a stash, and git can apply it", async () => {
  const { root, options, write, git } = createWorkspace({ committed: { "a.txt": "one\n", "b.txt": "two\n" } });
  write("a.txt", "staged\n");
  git("add", "a.txt");
  write("b.txt", "changed\n");
  write("new.txt", "new\n");
  const made = await createCheckpoint({ scope: "." }, options);
  const { id } = created(made);
  const store = join(root, ".git/agent-checkpoint/snapshots.git");
  const oid = runTestGit(root, ["--git-dir", store, "rev-parse", `refs/snapshots/${id}`]).trim();
  const show = (rev: string, path: string): string => runTestGit(root, ["--git-dir", store, "show", `${rev}:${path}`]);
  expect([
    show(oid, "a.txt"),
    show(oid, "b.txt"),
    show(`${oid}^2`, "a.txt"),
    show(`${oid}^2`, "b.txt"),
    show(oid, "new.txt"),
  ]).toEqual(["staged\n", "changed\n", "staged\n", "two\n", "new\n"]);
  const listed = (dir: string, rev: string): string =>
    runTestGit(root, ["--git-dir", dir, "ls-tree", rev, "a.txt", "b.txt"]);
  expect(listed(store, `${oid}^1`)).toBe(listed(join(root, ".git"), "HEAD"));
  expect(runTestGit(root, ["--git-dir", store, "ls-tree", "--name-only", `${oid}^1`])).not.toContain("new.txt");
  expect(runTestGit(root, ["--git-dir", store, "fsck", "--strict", "--no-dangling"])).toBe("");
  git("reset", "--quiet", "--hard");
  rmSync(join(root, "new.txt"));
  process.env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = join(store, "objects");
  onTestFinished(() => void delete process.env["GIT_ALTERNATE_OBJECT_DIRECTORIES"]);
  execFileSync("git", ["stash", "apply", "--quiet", oid], { cwd: root });
  expect(photograph(root)).toEqual({ "a.txt": "644 staged\n", "b.txt": "644 changed\n", "new.txt": "644 new\n" });
});

test.for([{ isCommitted: true }, { isCommitted: false }])(
  "a repository in the place of a tracked file is captured by its own rules, with a commit: $isCommitted",
  async ({ isCommitted }) => {
    const { root, options, write } = createWorkspace({ committed: { "a.txt": "one\n", "b.txt": "two\n" } });
    rmSync(join(root, "a.txt"));
    write("a.txt/inner.txt", "inner\n");
    const inner = (...args: string[]): string => runTestGit(join(root, "a.txt"), args);
    inner("init", "--quiet");
    inner("add", "--all");
    if (isCommitted) inner("commit", "--quiet", "--message", "inner");
    const files = photograph(root);
    const { id, scope, assumptions } = created(await createCheckpoint({ scope: "." }, options));
    expect({ files: scope.files, assumptions }).toEqual({
      files: ["a.txt/inner.txt", "b.txt"],
      assumptions: ["`a.txt` is a repository of its own: its files are captured, its `.git` is not."],
    });
    write("a.txt/inner.txt", "broken\n");
    write("a.txt/new.txt", "new\n");
    expect(await restoreCheckpoint({ id, removeNew: true }, options)).toMatchObject({
      report: { verification: { match: true } },
    });
    expect(photograph(root)).toEqual(files);
  },
);

test("what cleans a repository up, or publishes it, neither loses nor shows anything", async () => {
  const { root, options, write, git } = createWorkspace({ committed: { "a.txt": "one\n" } });
  write("a.txt", "changed\n");
  write("new.txt", "untracked\n");
  const files = photograph(root);
  const { id } = created(await createCheckpoint({ scope: "." }, options));
  git("checkout", "--quiet", ".");
  git("clean", "-ffdxq");
  git("gc", "--prune=now", "--quiet");
  const mirror = `${root}-mirror`;
  onTestFinished(() => rmSync(mirror, { recursive: true }));
  runTestGit(root, ["init", "--quiet", "--bare", mirror]);
  git("push", "--quiet", "--mirror", mirror);
  expect(runTestGit(mirror, ["for-each-ref", "--format=%(refname)"])).toBe("refs/heads/main\n");
  expect(readdirSync(root)).toEqual([".git", "a.txt"]);
  expect(await restoreCheckpoint({ id }, options)).toMatchObject({ report: { verification: { match: true } } });
  expect(photograph(root)).toEqual(files);
});

test("two work trees and two sessions, one after the other: each gets its own", async () => {
  const { root, options, write, git } = createWorkspace({ committed: { "a.txt": "one\n" } });
  const other = `${root}-tree`;
  git("worktree", "add", "--quiet", "-b", "other", other);
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  const here = { ...options, session: "A" };
  const there = { ...options, cwd: other, session: "B" };
  write("a.txt", "A1\n");
  writeFileSync(join(other, "a.txt"), "B1\n");
  const a = created(await createCheckpoint({ scope: "a.txt" }, here));
  const b = created(await createCheckpoint({ scope: "a.txt" }, there));
  write("a.txt", "A2\n");
  writeFileSync(join(other, "a.txt"), "B2\n");
  expect(await restoreCheckpoint({ id: b.id }, there)).toMatchObject({ status: "restored" });
  expect(await restoreCheckpoint({ id: a.id }, here)).toMatchObject({ status: "restored" });
  expect([photograph(root)["a.txt"], photograph(other)["a.txt"]]).toEqual(["644 A1\n", "644 B1\n"]);
  expect(await restoreCheckpoint({ id: b.id }, here)).toMatchObject({ status: "refused", code: "bad-input" });
  git("worktree", "remove", "--force", other);
  expect(await verifyCheckpoints(b.id, here)).toMatchObject({ status: "verified" });
  expect(await restoreInto(b.id, `${root}-into`, here)).toMatchObject({ status: "written", match: true });
  onTestFinished(() => rmSync(`${root}-into`, { recursive: true }));
  expect(photograph(`${root}-into`)["a.txt"]).toBe("644 B1\n");
  expect(await listCheckpoints({ ...here, everyRoot: true })).toMatchObject({
    checkpoints: [{}, {}, { id: b.id }, { id: a.id }],
  });
});
