import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { createCheckpoint, deleteCheckpoint, type SafetyOptions, showCheckpoint, verifyCheckpoints } from "./index.ts";
import type { Entry } from "./manifest.ts";
import { writeJournal } from "./recover.ts";
import { layoutOf } from "./place.ts";
import { blobId } from "./read-files.ts";
import { createWorkspace, runTestGit, type Workspace } from "./testing/workspace.ts";

const FILES = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`d${index % 7}/f${index}.txt`, "one\n"]));

interface Case {
  readonly change: string;
  /** Before the first checkpoint. */
  readonly prepare?: (workspace: Workspace) => void | Promise<void>;
  readonly scope?: readonly string[];
  readonly make: (workspace: Workspace) => void | Promise<void>;
  /** Whether the files in scope stay the same; by default they do not. */
  readonly isSame?: boolean;
  /** Whether it is of files that git alone vouches for, once its index is younger than they are. */
  readonly isForGit?: boolean;
}

/** Everything by which the answer of the last checkpoint can have become an old one. */
const CASES: readonly Case[] = [
  { change: "nothing", isForGit: true, make: () => undefined, isSame: true },
  {
    change: "a file that was clean, with the same size",
    isForGit: true,
    make: ({ write }) => write("d3/f3.txt", "two\n"),
  },
  {
    change: "a file that was clean, with the same size and the time it had",
    isForGit: true,
    make: ({ root }) => editKeepingTime(join(root, "d3/f3.txt"), "two\n"),
  },
  {
    change: "a file that was clean, by a new one of the same size and time in its place",
    isForGit: true,
    make: ({ root }) => {
      const path = join(root, "d3/f3.txt");
      const { atime, mtime } = statSync(path);
      writeFileSync(`${path}.new`, "two\n");
      utimesSync(`${path}.new`, atime, mtime);
      renameSync(`${path}.new`, path);
    },
  },
  { change: "a file that was changed already, with the same size", make: ({ write }) => write("d2/f2.txt", "DIRTY\n") },
  {
    change: "a file that was changed already, with the same size and the time it had",
    make: ({ root }) => editKeepingTime(join(root, "d2/f2.txt"), "DIRTY\n"),
  },
  { change: "an untracked file", make: ({ write }) => write("d1/untracked.txt", "UNTRACKED\n") },
  {
    change: "the permissions of a clean file",
    isForGit: true,
    make: ({ root }) => chmodSync(join(root, "d3/f3.txt"), 0o600),
  },
  { change: "the permissions of a changed file", make: ({ root }) => chmodSync(join(root, "d2/f2.txt"), 0o600) },
  {
    change: "the permissions of an untracked file",
    make: ({ root }) => chmodSync(join(root, "d1/untracked.txt"), 0o755),
  },
  { change: "the permissions of a folder", make: ({ root }) => chmodSync(join(root, "d4"), 0o700) },
  {
    change: "that a clean file is executable, which git is told to pass over",
    isForGit: true,
    prepare: ({ git }) => void git("config", "core.fileMode", "false"),
    make: ({ root }) => chmodSync(join(root, "d3/f3.txt"), 0o755),
  },
  {
    change: "that a changed file is executable, which git is told to pass over",
    prepare: ({ git }) => void git("config", "core.fileMode", "false"),
    make: ({ root }) => chmodSync(join(root, "d2/f2.txt"), 0o755),
  },
  {
    change: "that a clean file is executable, in the second in which git wrote its index",
    prepare: async (workspace) => {
      workspace.git("config", "core.fileMode", "false");
      await rewriteIndexInTheSecondOf(workspace, "d3/f3.txt");
    },
    make: ({ root }) => chmodSync(join(root, "d3/f3.txt"), 0o755),
  },
  {
    change: "a file with the same size and the time it had, in the second in which git wrote its index",
    prepare: (workspace) => rewriteIndexInTheSecondOf(workspace, "d3/f3.txt"),
    make: ({ root }) => editKeepingTime(join(root, "d3/f3.txt"), "two\n"),
  },
  {
    change: "what a filter hides from git, in the second in which git wrote its index",
    prepare: async (workspace) => {
      workspace.git("config", "filter.same.clean", "tr a-z n");
      workspace.write(".gitattributes", "*.same filter=same\n");
      workspace.write("d3/x.same", "one\n");
      workspace.git("add", "--all");
      await rewriteIndexInTheSecondOf(workspace, "d3/x.same", "six\n");
    },
    make: ({ write }) => write("d3/x.same", "two\n"),
  },
  { change: "that a file is gone", isForGit: true, make: ({ root }) => rmSync(join(root, "d3/f3.txt")) },
  { change: "that an untracked file is gone", make: ({ root }) => rmSync(join(root, "d1/untracked.txt")) },
  {
    change: "a file into a link",
    isForGit: true,
    make: ({ root }) => {
      rmSync(join(root, "d3/f3.txt"));
      symlinkSync("f10.txt", join(root, "d3/f3.txt"));
    },
  },
  {
    change: "a folder into a link to it",
    make: ({ root }) => {
      renameSync(join(root, "d3"), join(root, "ignored/d3"));
      symlinkSync("ignored/d3", join(root, "d3"));
    },
  },
  { change: "a new file among others", make: ({ write }) => write("d6/new.txt", "new\n") },
  { change: "a new file in a folder that was empty", make: ({ write }) => write("empty/inner/new.txt", "new\n") },
  { change: "a new file in a new folder", make: ({ write }) => write("d6/new/new.txt", "new\n") },
  { change: "a new file that is ignored", make: ({ write }) => write("d6/new.log", "new\n"), isSame: true },
  { change: "a new file in an ignored folder", make: ({ write }) => write("ignored/new.txt", "new\n"), isSame: true },
  {
    change: "a new file, by a rename that keeps its time",
    prepare: ({ write, root }) => {
      write("ignored/old.txt", "old\n");
      utimesSync(join(root, "ignored/old.txt"), 1000, 1000);
    },
    make: ({ root }) => renameSync(join(root, "ignored/old.txt"), join(root, "d6/old.txt")),
  },
  {
    change: "what is ignored, by a tracked `.gitignore`",
    make: ({ write }) => write(".gitignore", "/ignored/\n*.lo_\n"),
  },
  {
    change: "what is ignored, by a `.gitignore` that ignores itself",
    prepare: ({ write }) => {
      write("d5/.gitignore", "*.log\n.gitignore\n*.tmp\n");
      write("d5/x.tmp", "x\n");
    },
    make: ({ write }) => write("d5/.gitignore", "*.log\n.gitignore\n*.tm_\n"),
  },
  {
    change: "what is ignored, by a `.gitignore` above the scope",
    prepare: ({ write }) => write("d5/x.log", "x\n"),
    scope: ["d5", "d6", "d0", "d1", "d2", "d3", "d4"],
    make: ({ write }) => write(".gitignore", "/ignored/\n*.lo_\n"),
  },
  {
    change: "what is ignored, by the repository's own list",
    prepare: ({ root, write }) => {
      mkdirSync(join(root, ".git/info"), { recursive: true });
      writeFileSync(join(root, ".git/info/exclude"), "*.own\n");
      write("d5/x.own", "x\n");
    },
    make: ({ root }) => writeFileSync(join(root, ".git/info/exclude"), "*.ow_\n"),
  },
  {
    change: "what is ignored, by the person's own list",
    prepare: ({ write }) => {
      mkdirSync(join(process.env["XDG_CONFIG_HOME"] ?? "", "git"), { recursive: true });
      writeFileSync(join(process.env["XDG_CONFIG_HOME"] ?? "", "git/ignore"), "*.own\n");
      write("d5/x.own", "x\n");
    },
    make: () => writeFileSync(join(process.env["XDG_CONFIG_HOME"] ?? "", "git/ignore"), "*.ow_\n"),
  },
  {
    change: "what is ignored, by a list that is behind a link and named from home",
    prepare: ({ git, write }) => {
      writeFileSync(join(process.env["HOME"] ?? "", "target"), "*.own\n");
      symlinkSync("target", join(process.env["HOME"] ?? "", "list"));
      git("config", "core.excludesFile", "~/list");
      write("d5/x.own", "x\n");
    },
    make: () => writeFileSync(join(process.env["HOME"] ?? "", "target"), "*.ow_\n"),
  },
  {
    change: "where the list of the ignored is",
    prepare: ({ git, write }) => {
      writeFileSync(join(process.env["HOME"] ?? "", "list"), "*.own\n");
      git("config", "core.excludesFile", join(process.env["HOME"] ?? "", "list"));
      write("d5/x.own", "x\n");
    },
    make: ({ git }) => void git("config", "core.excludesFile", "/dev/null"),
  },
  {
    change: "where the list of the ignored is, in a config of the person's",
    prepare: ({ write }) => {
      writeFileSync(join(process.env["HOME"] ?? "", "list"), "*.own\n");
      writeFileSync(join(process.env["HOME"] ?? "", ".gitconfig"), "[core]\n\texcludesFile = ~/list\n");
      write("d5/x.own", "x\n");
    },
    make: () => writeFileSync(join(process.env["HOME"] ?? "", ".gitconfig"), "[core]\n\texcludesFile = ~/lisp\n"),
  },
  {
    change: "where the list of the ignored is, in a config that another one names",
    prepare: ({ write }) => {
      writeFileSync(join(process.env["HOME"] ?? "", "list"), "*.own\n");
      writeFileSync(join(process.env["HOME"] ?? "", "more"), "[core]\n\texcludesFile = ~/list\n");
      writeFileSync(join(process.env["HOME"] ?? "", ".gitconfig"), "[include]\n\tpath = more\n");
      write("d5/x.own", "x\n");
    },
    make: () => writeFileSync(join(process.env["HOME"] ?? "", "more"), "[core]\n\texcludesFile = ~/lisp\n"),
  },
  {
    change: "where the list of the ignored is, by a first config of the person's",
    prepare: ({ write }) => {
      mkdirSync(join(process.env["XDG_CONFIG_HOME"] ?? "", "git"), { recursive: true });
      writeFileSync(join(process.env["XDG_CONFIG_HOME"] ?? "", "git/ignore"), "*.own\n");
      write("d5/x.own", "x\n");
    },
    make: () => writeFileSync(join(process.env["HOME"] ?? "", ".gitconfig"), "[core]\n\texcludesFile = /none\n"),
  },
  {
    change: "what is ignored, by another home",
    prepare: ({ write }) => {
      mkdirSync(join(process.env["XDG_CONFIG_HOME"] ?? "", "git"), { recursive: true });
      writeFileSync(join(process.env["XDG_CONFIG_HOME"] ?? "", "git/ignore"), "*.own\n");
      write("d5/x.own", "x\n");
    },
    make: () => void (process.env["XDG_CONFIG_HOME"] = join(process.env["HOME"] ?? "", "nowhere")),
  },
  {
    change: "a file that git shall assume unchanged",
    prepare: ({ git }) => void git("update-index", "--assume-unchanged", "d0/f7.txt"),
    make: ({ write }) => write("d0/f7.txt", "two\n"),
  },
  {
    change: "a file that git shall leave out of the work tree",
    prepare: ({ git }) => void git("update-index", "--skip-worktree", "d0/f7.txt"),
    make: ({ write }) => write("d0/f7.txt", "two\n"),
  },
  {
    change: "a file that is ignored but named",
    prepare: ({ write }) => write("ignored/named.txt", "one\n"),
    scope: [".", "ignored/named.txt"],
    make: ({ write }) => write("ignored/named.txt", "two\n"),
  },
  {
    change: "a file that was named and not there",
    scope: [".", "ignored/named.txt"],
    make: ({ write }) => write("ignored/named.txt", "two\n"),
  },
  {
    change: "a file that a glob matches",
    scope: ["**/*.txt"],
    make: ({ write }) => write("empty/inner/new.txt", "two\n"),
  },
  {
    change: "a file that was left out for the secret in it",
    prepare: ({ write }) => write("d5/token.txt", `${["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_")}\n`),
    make: ({ write }) => write("d5/token.txt", "no secret\n"),
  },
  {
    change: "a submodule that was empty",
    prepare: async ({ git, root }) => {
      const inner = `${root}-inner`;
      mkdirSync(inner);
      onTestFinished(() => rmSync(inner, { recursive: true }));
      runTestGit(inner, ["init", "--quiet"]);
      writeFileSync(join(inner, "lib.py"), "lib\n");
      runTestGit(inner, ["add", "--all"]);
      runTestGit(inner, ["commit", "--quiet", "--message", "inner"]);
      git("submodule", "--quiet", "add", inner, "vendor");
      git("commit", "--quiet", "--message", "submodule");
      git("submodule", "--quiet", "deinit", "--force", "vendor");
    },
    make: ({ git }) => void git("submodule", "--quiet", "update", "--init"),
  },
  {
    change: "a repository in a folder that was empty",
    make: ({ write, root }) => {
      write("empty/inner/new.txt", "new\n");
      runTestGit(join(root, "empty/inner"), ["init", "--quiet"]);
    },
  },
  { change: "the index", make: ({ git }) => void git("add", "--all"), isSame: true },
  {
    change: "the commit that HEAD stands at, and not the index",
    make: ({ git }) => void git("reset", "--quiet", "--soft", "HEAD~1"),
    isSame: true,
  },
  {
    change: "the commit that HEAD stands at, and the index with it",
    make: ({ git }) => void git("reset", "--quiet", "--mixed", "HEAD~1"),
    isSame: true,
  },
  {
    change: "that git no longer tracks a file",
    make: ({ git }) => void git("rm", "--quiet", "--cached", "d3/f3.txt"),
    isSame: true,
  },
  {
    change: "that git no longer tracks a file, which is ignored then",
    prepare: ({ write, git }) => {
      write("d3/kept.log", "log\n");
      git("add", "--force", "d3/kept.log");
      git("commit", "--quiet", "--message", "a log", "--", "d3/kept.log");
    },
    make: ({ git }) => void git("rm", "--quiet", "--cached", "d3/kept.log"),
    // HEAD still has it.
    isSame: true,
  },
  {
    change: "that an untracked file shall be added",
    make: ({ git }) => void git("add", "--intent-to-add", "d1/untracked.txt"),
    isSame: true,
  },
  {
    change: "what is staged of a changed file, and its contents",
    make: ({ git, write }) => {
      write("d2/f2.txt", "staged\n");
      git("add", "d2/f2.txt");
      write("d2/f2.txt", "dirty again\n");
    },
  },
  { change: "the branch", make: ({ git }) => void git("checkout", "--quiet", "-b", "other"), isSame: true },
  {
    change: "that HEAD stands at a branch",
    make: ({ git }) => void git("checkout", "--quiet", "--detach"),
    isSame: true,
  },
  {
    change: "where refs are kept",
    make: ({ git }) => void git("pack-refs", "--all"),
    isSame: true,
  },
  {
    change: "the commit of a branch whose ref was packed",
    prepare: ({ git }) => void git("pack-refs", "--all"),
    make: ({ git }) => void git("commit", "--quiet", "--all", "--message", "third"),
    isSame: true,
  },
  {
    change: "a file, with an index in two parts",
    isForGit: true,
    prepare: ({ git }) => void git("update-index", "--split-index"),
    make: ({ write }) => write("d3/f3.txt", "two\n"),
  },
  {
    change: "the index, in two parts",
    prepare: ({ git }) => void git("update-index", "--split-index"),
    make: ({ git }) => void git("add", "d2/f2.txt"),
    isSame: true,
  },
  {
    change: "a file, with a watcher that says there is no change",
    isForGit: true,
    prepare: ({ git, root }) => {
      writeFileSync(join(root, ".git/watcher"), "#!/bin/sh\nprintf 'same\\0'\n", { mode: 0o755 });
      git("config", "core.fsmonitor", ".git/watcher");
      git("update-index", "--fsmonitor");
      git("status");
    },
    make: ({ write }) => write("d3/f3.txt", "two\n"),
  },
  {
    change: "a new file, with git's own cache of the untracked",
    prepare: ({ root, git }) => {
      git("config", "core.untrackedCache", "true");
      execFileSync("git", ["status"], { cwd: root });
    },
    make: ({ write }) => write("empty/inner/new.txt", "new\n"),
  },
  {
    change: "that a merge is under way",
    make: ({ root, git }) => writeFileSync(join(root, ".git/MERGE_HEAD"), git("rev-parse", "HEAD")),
    isSame: true,
  },
];

const surroundings = { HOME: process.env["HOME"], XDG: process.env["XDG_CONFIG_HOME"] };

/** A home of the test's own. */
beforeEach(() => {
  const { root, write } = createWorkspace({ git: false });
  write("home/xdg/git/config", "");
  process.env["HOME"] = join(root, "home");
  process.env["XDG_CONFIG_HOME"] = join(root, "home/xdg");
});
afterEach(() => {
  process.env["HOME"] = surroundings.HOME;
  if (surroundings.XDG === undefined) delete process.env["XDG_CONFIG_HOME"];
  else process.env["XDG_CONFIG_HOME"] = surroundings.XDG;
});

test.for(CASES)("between two checkpoints of a large tree, $change", { timeout: 60_000 }, async (change) => {
  const { afterwards, afresh, isSame } = await lookAround(change, largeWorkspace());
  expect({ ...afterwards, isSame }).toEqual({ ...afresh, isSame: change.isSame ?? false });
});

test.for(CASES.filter(({ isForGit = false }) => isForGit))(
  "with an index that is younger than the files, $change",
  { timeout: 60_000 },
  async (change) => {
    const workspace = largeWorkspace();
    await growOld(workspace);
    const { afterwards, afresh, isSame } = await lookAround(change, workspace);
    expect({ ...afterwards, isSame }).toEqual({ ...afresh, isSame: change.isSame ?? false });
  },
);

/** The checkpoint after a change, one that knows of no earlier one, and whether the files are those before the change. */
async function lookAround({ prepare, scope = ["."], make }: Case, workspace: Workspace) {
  const { options } = workspace;
  await prepare?.(workspace);
  await nextSecond();
  const before = await checkpointOf(scope, options);
  await make(workspace);
  const { same: afterwards } = await checkpointOf(scope, options);
  const { same: afresh } = await afreshOf(scope, options);
  return { afterwards, afresh, isSame: afterwards.tree === before.same.tree };
}

test("of a large tree in which nothing changed, no file is read", async () => {
  const workspace = largeWorkspace();
  const { options, root } = workspace;
  await nextSecond();
  await createCheckpoint({ scope: "." }, options);
  const unread = join(root, "d3/f3.txt");
  const { atimeNs } = statSync(unread, { bigint: true });
  await createCheckpoint({ scope: "." }, options);
  expect(statSync(unread, { bigint: true }).atimeNs).toBe(atimeNs);
  const { manifest } = await checkpointOf(["."], options);
  expect(manifest.drill).toEqual({ entries: 0, provenBefore: 309 });
});

test("an unchanged tree is not committed by a process of its own, and its snapshot needs nothing of the one before", async () => {
  const { options, root } = largeWorkspace();
  const link = (name: string) => symlinkSync("d1", join(root, name));
  link("a-link");
  await nextSecond();
  const first = (await checkpointOf(["."], options)).manifest;
  const store = join(root, ".git/agent-checkpoint/snapshots.git");
  const packs = readdirSync(join(store, "objects/pack"));
  const again = (await checkpointOf(["."], options)).manifest;
  expect(again).toMatchObject({ tree: first.tree, drill: { entries: 0 } });
  expect(readdirSync(join(store, "objects/pack"))).toEqual(packs);
  expect(await deleteCheckpoint(first.id, options)).toMatchObject({ status: "deleted", notes: [] });
  runTestGit(root, ["--git-dir", store, "fsck", "--full", "--strict"]);
  expect(await verifyCheckpoints(again.id, options)).toMatchObject({ status: "verified" });
  // What is staged belongs to the commit, too, where no file has changed.
  runTestGit(root, ["add", "d2/f2.txt"]);
  const staged = (await checkpointOf(["."], options)).manifest;
  const inIndex = ["--git-dir", store, "show", `refs/snapshots/${staged.id}^2:d2/f2.txt`];
  expect([staged.tree, runTestGit(root, inIndex)]).toEqual([first.tree, "dirty\n"]);
});

test("a large file that is as it was is neither read nor restored in a drill again", async () => {
  const { options, write } = largeWorkspace();
  write("d1/large.bin", "x".repeat(9 * 1024 * 1024));
  await nextSecond();
  await createCheckpoint({ scope: "." }, options);
  const { manifest } = await checkpointOf(["."], options);
  expect(manifest.drill).toEqual({ entries: 0, provenBefore: 310 });
});

test("a file that is written to while a checkpoint is made is read again at the next one", async () => {
  const { options, write } = largeWorkspace();
  await nextSecond();
  const step = (name: string): void => {
    if (name === "captured") write("d2/f2.txt", "DIRTY\n");
  };
  await createCheckpoint({ scope: "." }, { ...options, step });
  expect((await checkpointOf(["."], options)).same).toEqual((await afreshOf(["."], options)).same);
});

test("a snapshot needs nothing of the one that it was taken after", async () => {
  const { options, root, write, git } = largeWorkspace();
  await nextSecond();
  const first = (await checkpointOf(["."], options)).manifest.id;
  write("d3/f3.txt", "changed since\n");
  git("add", "d3/f3.txt");
  await nextSecond();
  const second = await checkpointOf(["."], options);
  expect(await deleteCheckpoint(first, options)).toMatchObject({ status: "deleted", notes: [] });
  const store = ["--git-dir", join(root, ".git/agent-checkpoint/snapshots.git")];
  runTestGit(root, [...store, "fsck", "--full", "--strict"]);
  const at = (state: string) => runTestGit(root, [...store, "show", `refs/snapshots/${second.manifest.id}${state}`]);
  expect(["", "^1", "^2"].map((parent) => at(`${parent}:d3/f3.txt`))).toEqual([
    "changed since\n",
    "one\n",
    "changed since\n",
  ]);
  expect(["", "^1", "^2"].map((parent) => at(`${parent}:d2/f2.txt`))).toEqual(["dirty\n", "one\n", "one\n"]);
});

test("what an interrupted restore still had to do is seen", async () => {
  const workspace = largeWorkspace();
  const { options, read, root } = workspace;
  await nextSecond();
  await createCheckpoint({ scope: "." }, options);
  const entryOf = (content: string): Entry => ({
    path: "d3/f3.txt",
    type: "file",
    mode: 0o644,
    size: content.length,
    oid: blobId(Buffer.from(content)),
  });
  writeJournal(layoutOf(join(root, ".git/agent-checkpoint")), {
    undo: "chk_20310131_120000_aaaaaa",
    checkpoint: "chk_20310131_120000_bbbbbb",
    type: "git_stash",
    root,
    staging: join(root, ".checkpoints/restore-test"),
    changes: [{ from: entryOf("one\n"), to: entryOf("dirty\n") }],
  });
  const made = await checkpointOf(["."], options);
  expect(read("d3/f3.txt")).toBe("dirty\n");
  expect(made.same).toEqual((await afreshOf(["."], options)).same);
});

/** Some hundred files in folders, one of them changed, an untracked one, an ignored folder and an empty one; two commits. */
function largeWorkspace(): Workspace {
  const workspace = createWorkspace({ committed: { ...FILES, ".gitignore": "/ignored/\n*.log\n" } });
  const { write, git, root } = workspace;
  write("d2/f9.txt", "second\n");
  git("commit", "--quiet", "--all", "--message", "second");
  write("d2/f2.txt", "dirty\n");
  write("d1/untracked.txt", "untracked\n");
  write("d5/ignored.log", "log\n");
  write("ignored/file.txt", "ignored\n");
  mkdirSync(join(root, "empty/inner"), { recursive: true });
  return workspace;
}

/** Lets git write its index in a later second than that of the files, so that it can tell by their times. */
async function growOld({ git, write }: Workspace): Promise<void> {
  await pause(1010 - (Date.now() % 1000));
  write("d2/f16.txt", "third\n");
  git("commit", "--quiet", "--message", "third", "--", "d2/f16.txt");
}

/** All that a checkpoint says, and what of it does not depend on when and where it was made. */
async function checkpointOf(scope: readonly string[], options: SafetyOptions) {
  const made = await createCheckpoint({ scope, reason: "a reason" }, options);
  if (made.status !== "created") throw new Error(made.message);
  const id = made.report.checkpoint?.id ?? "";
  const shown = await showCheckpoint(id, options);
  if (shown.status !== "shown") throw new Error(shown.message);
  const { manifest, entries } = shown;
  const { tree, counts, assumptions, excluded, skipped, git } = manifest;
  const store = options.store ?? join(options.cwd, ".git/agent-checkpoint");
  const trees = runTestGit(options.cwd, [
    "--git-dir",
    join(store, "snapshots.git"),
    "log",
    "--format=%T %s",
    `refs/snapshots/${id}`,
  ]);
  return {
    manifest,
    same: { tree, counts, assumptions, excluded, skipped, git, entries, trees: trees.replaceAll(id, "") },
  };
}

function afreshOf(scope: readonly string[], options: SafetyOptions) {
  return checkpointOf(scope, { ...options, store: `${options.cwd}-other-store` });
}

/** Waits until the second in which files were written is over: before that git does not tell them by their times. */
async function nextSecond(): Promise<void> {
  await pause(1060 - (Date.now() % 1000));
}

function editKeepingTime(path: string, content: string): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, content);
  utimesSync(path, atime, mtime);
}

/** Early in a second, touches a file with an old time and lets git take note of it. */
async function rewriteIndexInTheSecondOf({ root, git }: Workspace, path: string, content = "one\n"): Promise<void> {
  await pause(1010 - (Date.now() % 1000));
  writeFileSync(join(root, path), content);
  if (content === "one\n") utimesSync(join(root, path), 1000, 1000);
  git("add", path);
}
