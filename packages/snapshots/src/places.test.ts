import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  abandonRestore,
  collectGarbage,
  createCheckpoint,
  deleteCheckpoint,
  listCheckpoints,
  restoreCheckpoint,
  type SafetyOptions,
} from "./index.ts";
import { writeJournal } from "./recover.ts";
import { blobId } from "./read-files.ts";
import { layoutOf } from "./place.ts";
import { allContents } from "./testing/damage.ts";
import { createWorkspace } from "./testing/workspace.ts";

async function mark(scope: string | readonly string[], options: SafetyOptions): Promise<string> {
  return (await createCheckpoint({ scope }, options)).report.checkpoint?.id ?? "";
}

test.for([{ git: true }, { git: false }])(
  "a renamed project finds its snapshots again (git: $git)",
  async ({ git }) => {
    const { options, root, write } = createWorkspace({ git });
    write("a.txt", "one\n");
    const id = await mark(".", options);
    write("a.txt", "broken\n");
    const renamed = join(dirname(root), "renamed");
    renameSync(root, renamed);
    const there = { ...options, cwd: renamed };
    expect(await listCheckpoints(there)).toMatchObject({ checkpoints: [{ id }] });
    expect(await restoreCheckpoint({ id }, there)).toMatchObject({
      status: "restored",
      report: { verification: { match: true } },
    });
  },
);

test("a copy of a project does not take over the snapshots of the original", async () => {
  const { options, root, write } = createWorkspace({ git: false });
  write("a.txt", "one\n");
  await mark(".", options);
  const copy = join(dirname(root), "copy");
  mkdirSync(copy);
  writeFileSync(join(copy, "a.txt"), "one\n");
  expect(await listCheckpoints({ ...options, cwd: copy })).toMatchObject({ checkpoints: [] });
});

test("lists are in the order of making, whatever the clock did", async () => {
  const { options, write } = createWorkspace();
  write("a.txt", "one\n");
  const first = await mark("a.txt", { ...options, now: () => new Date("2031-01-31T12:00:00Z") });
  const second = await mark("a.txt", { ...options, now: () => new Date("2030-01-31T12:00:00Z") });
  expect(await listCheckpoints(options)).toMatchObject({ checkpoints: [{ id: second }, { id: first }] });
});

test("an absolute scope behind a link is the place that the link leads to", async () => {
  const { options, root, write } = createWorkspace();
  write("src/a.txt", "one\n");
  symlinkSync(root, `${root}-link`);
  const { report } = await createCheckpoint({ scope: join(`${root}-link`, "src/a.txt") }, options);
  expect(report.checkpoint?.scope.files).toEqual(["src/a.txt"]);
});

test("where there is no git, the refusal says so and leaves nothing behind", async () => {
  const { options, root, write } = createWorkspace({ git: false });
  write("a.txt", "one\n");
  vi.stubEnv("PATH", root);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await createCheckpoint({ scope: "." }, options)).toMatchObject({
    status: "failed",
    code: "git",
    message: "Snapshots are stored by git, and there is no `git` here.",
    report: { checkpoint_created: false },
  });
  expect([existsSync(join(options.home, "snapshots")), existsSync(join(root, ".checkpoints"))]).toEqual([false, false]);
});

test.runIf(process.getuid?.() === 0)(
  "a repository that git does not trust is captured as files, with a note",
  async () => {
    const { options, root, write } = createWorkspace({ committed: { "a.txt": "one\n" } });
    write("a.txt", "two\n");
    for (const path of [root, join(root, ".git")]) chownSync(path, 65_534, 65_534);
    expect(await createCheckpoint({ scope: "a.txt" }, options)).toMatchObject({
      status: "created",
      notes: [expect.stringMatching(/^git was not asked what is in scope: .*dubious ownership/)],
      report: { checkpoint: { type: "file_backup", scope: { files: ["a.txt"] } } },
    });
  },
);

test("a deleted snapshot is gone with what only it needed", async () => {
  const { options, root, write } = createWorkspace({ committed: { "a.txt": "kept\n" } });
  const kept = await mark("a.txt", options);
  write("a.txt", "only in the second\n");
  const id = await mark("a.txt", options);
  expect(await deleteCheckpoint(id, options)).toMatchObject({ status: "deleted", notes: [] });
  expect(await listCheckpoints(options)).toMatchObject({ checkpoints: [{ id: kept }] });
  const contents = allContents(join(root, ".git/agent-checkpoint"));
  expect([contents.includes("kept\n"), contents.includes("only in the second\n")]).toEqual([true, false]);
  expect(await deleteCheckpoint(id, options)).toMatchObject({ status: "refused", code: "unknown-checkpoint" });
});

describe("a restore", () => {
  test("with an unknown path in its scope is refused, with nothing changed", async () => {
    const { options, write, read } = createWorkspace({ committed: { "a.txt": "one\n" } });
    const id = await mark(".", options);
    write("a.txt", "broken\n");
    expect(await restoreCheckpoint({ id, scope: ["a.txt", "no-such"] }, options)).toMatchObject({
      status: "refused",
      code: "nothing-matched",
      message: expect.stringContaining("no-such"),
    });
    expect(read("a.txt")).toBe("broken\n");
  });

  test("never removes what was ignored when the snapshot was taken", async () => {
    const { options, write, root } = createWorkspace({
      committed: { "a.txt": "one\n", ".gitignore": "build/\n*.log\n" },
    });
    write("build/out.js", "built\n");
    write("x.log", "log\n");
    const id = await mark(".", options);
    rmSync(join(root, ".gitignore"));
    write("new.txt", "new\n");
    expect(await restoreCheckpoint({ id, removeNew: true, scope: ["."] }, options)).toMatchObject({
      status: "restored",
    });
    expect(["build/out.js", "x.log", "new.txt"].map((path) => existsSync(join(root, path)))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("that was undone can be undone for thirty days", async () => {
    const { options, write } = createWorkspace({ committed: { "a.txt": "one\n" } });
    const id = await mark(".", options);
    write("a.txt", "broken\n");
    await restoreCheckpoint({ id }, { ...options, now: () => new Date("2031-01-01T00:00:00.000Z") });
    expect(await listCheckpoints(options)).toMatchObject({
      checkpoints: [
        { purpose: "undo", expiresAt: "2031-01-31T00:00:00.000Z" },
        { id, expiresAt: null },
      ],
    });
  });

  test("that was interrupted and cannot be finished says why, blocks only its work tree, and can be given up", async () => {
    const { options, write, root, git } = createWorkspace({ committed: { "a.txt": "one\n" } });
    const other = `${root}-tree`;
    git("worktree", "add", "--quiet", "--detach", other);
    await mark(".", options);
    const entry = { path: "dir/a.txt", type: "file", mode: 0o644, size: 4 } as const;
    const oid = blobId(Buffer.from("one\n"));
    writeJournal(layoutOf(join(root, ".git/agent-checkpoint")), {
      undo: "chk_20310131_120000_aaaaaa",
      checkpoint: "chk_20310131_120000_bbbbbb",
      type: "git_stash",
      root,
      staging: join(root, ".checkpoints/restore-test"),
      changes: [{ from: { ...entry, type: "absent", mode: 0, size: 0, oid: null }, to: { ...entry, oid } }],
    });
    write("dir", "a file where a folder was\n");
    const refused = await createCheckpoint({ scope: "a.txt" }, options);
    expect(refused).toMatchObject({
      status: "refused",
      message: expect.stringMatching(/chk_20310131_120000_bbbbbb .*`dir`/),
    });
    expect(await createCheckpoint({ scope: "a.txt" }, { ...options, cwd: other })).toMatchObject({ status: "created" });
    expect(await abandonRestore(options)).toMatchObject({
      status: "abandoned",
      notes: [expect.stringContaining("given up")],
    });
    expect(await createCheckpoint({ scope: "a.txt" }, options)).toMatchObject({ status: "created", notes: [] });
  });
});

test("a store of a form before this one is neither read nor changed", async () => {
  const { options, root, write } = createWorkspace();
  write("a.txt", "one\n");
  const store = join(root, ".git/agent-checkpoint");
  const old = {
    "packs/0a1b.pack": "contents",
    "trees/0a1b": "checkpoint-tree v1\n",
    "checkpoints/chk_20300131_120000_a1b2c3/manifest.json": "{}",
    "stash.git/HEAD": "ref: refs/heads/none\n",
  };
  for (const [path, text] of Object.entries(old)) {
    mkdirSync(dirname(join(store, path)), { recursive: true });
    writeFileSync(join(store, path), text);
  }
  const id = await mark(".", options);
  expect(await listCheckpoints(options)).toMatchObject({ checkpoints: [{ id }] });
  expect(await collectGarbage({ ...options, apply: true })).toMatchObject({ status: "collected", notes: [] });
  expect(Object.keys(old).map((path) => readFileSync(join(store, path), "utf8"))).toEqual(Object.values(old));
});
