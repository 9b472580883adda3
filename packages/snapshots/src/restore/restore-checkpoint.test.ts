import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Activity, createCheckpoint, noteWrites, restoreCheckpoint } from "../index.ts";
import type { CheckpointRequest } from "../scope.ts";
import type { SafetyOptions } from "../place.ts";
import { damage, objectOf } from "../testing/damage.ts";
import { createWorkspace, photograph, runTestGit } from "../testing/workspace.ts";

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

const FILES = { "a.txt": "one\n", "src/b.ts": "two\n", "src/c.ts": "three\n" };

/** The id of a new checkpoint. */
async function mark(
  scope: CheckpointRequest["scope"],
  options: SafetyOptions,
  rest: Partial<CheckpointRequest> = {},
): Promise<string> {
  const made = await createCheckpoint({ scope, ...rest }, options);
  if (made.status !== "created") throw new Error(made.message);
  return made.report.checkpoint?.id ?? "";
}

describe("what is touched", () => {
  test("a file that did not exist is removed again, and undoing the restore brings it back", async () => {
    const { options, write, root, read } = createWorkspace({ committed: FILES });
    const id = await mark(["src/new.ts", "a.txt"], options);
    write("src/new.ts", "made by the agent\n");
    const back = await restoreCheckpoint({ id }, options);
    expect(back).toMatchObject({
      status: "restored",
      report: { changes_reverted: [{ file: "src/new.ts", operation: "delete" }] },
    });
    expect(existsSync(join(root, "src/new.ts"))).toBe(false);
    const undo = back.status === "restored" ? (back.report.undo?.checkpoint_id ?? "") : "";
    await restoreCheckpoint({ id: undo }, options);
    expect(read("src/new.ts")).toBe("made by the agent\n");
  });

  test("files that appeared are kept and named, and go only where that is asked for", async () => {
    const { options, write, root } = createWorkspace({ committed: FILES });
    const id = await mark("src", options);
    write("src/x/new.ts", "new\n");
    expect(await restoreCheckpoint({ id }, options)).toMatchObject({
      status: "restored",
      report: { kept: ["src/x/new.ts"] },
    });
    expect(existsSync(join(root, "src/x/new.ts"))).toBe(true);
    await restoreCheckpoint({ id, removeNew: true }, options);
    expect(existsSync(join(root, "src/x"))).toBe(false);
  });

  test("what was ignored, excluded or skipped stays as it is, also when new files go", async () => {
    const { options, write, root } = createWorkspace({ committed: { ...FILES, ".gitignore": "ignored/\n" } });
    write("src/.env", "SECRET=1\n");
    write("src/large.bin", "x".repeat(100));
    const id = await mark(".", { ...options, limits: { fileBytes: 50 } });
    write("src/.env", "SECRET=2\n");
    write("src/large.bin", "y".repeat(100));
    write("ignored/x", "1");
    write("a.txt", "broken\n");
    await restoreCheckpoint({ id, removeNew: true }, options);
    expect(photograph(root)).toMatchObject({
      "src/.env": "644 SECRET=2\n",
      "src/large.bin": `644 ${"y".repeat(100)}`,
      "ignored/x": "644 1",
      "a.txt": "644 one\n",
    });
  });

  test("a part of the scope leaves the rest alone", async () => {
    const { options, write, read } = createWorkspace({ committed: FILES });
    const id = await mark(".", options);
    write("a.txt", "broken\n");
    write("src/b.ts", "broken\n");
    expect(await restoreCheckpoint({ id, scope: ["src"] }, options)).toMatchObject({
      report: { verification: { match: true } },
    });
    expect([read("a.txt"), read("src/b.ts")]).toEqual(["broken\n", "two\n"]);
  });

  test("a dry run changes nothing, not even in the store", async () => {
    const { options, write, root } = createWorkspace({ committed: FILES });
    const id = await mark(".", options);
    write("a.txt", "broken\n");
    const before = photograph(join(root, ".git/agent-checkpoint"), { times: true });
    expect(await restoreCheckpoint({ id, dryRun: true }, options)).toMatchObject({
      status: "planned",
      report: { rolled_back: false, changes_reverted: [{ file: "a.txt" }] },
    });
    expect(photograph(join(root, ".git/agent-checkpoint"), { times: true })).toEqual(before);
  });

  test("files that are as they were keep their times", async () => {
    const { options, write, root } = createWorkspace({ committed: FILES });
    const id = await mark(".", options);
    write("a.txt", "broken\n");
    const { "src/b.ts": before } = photograph(root, { times: true });
    await restoreCheckpoint({ id }, options);
    expect(photograph(root, { times: true })["src/b.ts"]).toBe(before);
  });
});

describe("what is refused, with nothing changed", () => {
  test("an expired checkpoint, unless that is allowed", async () => {
    const { options, write, read } = createWorkspace({ committed: FILES });
    const id = await mark(".", options, { expiry: "1h" });
    write("a.txt", "broken\n");
    const later = { ...options, now: () => new Date(Date.now() + 7_200_000) };
    expect(await restoreCheckpoint({ id }, later)).toMatchObject({ status: "refused", code: "expired" });
    expect(read("a.txt")).toBe("broken\n");
    expect(await restoreCheckpoint({ id, allowExpired: true }, later)).toMatchObject({ status: "restored" });
  });

  test("what a person changed after the agent, unless forced, and then it is kept", async () => {
    const { options, write, read, root } = createWorkspace({ committed: FILES });
    const agent = { ...options, session: "S" };
    const id = await mark(".", agent);
    write("a.txt", "by the agent\n");
    await noteWrites([join(root, "a.txt")], agent);
    write("src/b.ts", "by the agent\n");
    await noteWrites([join(root, "src/b.ts")], agent);
    write("src/b.ts", "by a person\n");
    expect(await restoreCheckpoint({ id }, agent)).toMatchObject({
      code: "changed-by-others",
      message: expect.stringContaining("src/b.ts"),
    });
    expect([read("a.txt"), read("src/b.ts")]).toEqual(["by the agent\n", "by a person\n"]);
    expect(await restoreCheckpoint({ id, scope: ["a.txt"] }, agent)).toMatchObject({ status: "restored" });
    const forced = await restoreCheckpoint({ id, force: true }, agent);
    expect(read("src/b.ts")).toBe("two\n");
    const undo = forced.status === "restored" ? (forced.report.undo?.checkpoint_id ?? "") : "";
    await restoreCheckpoint({ id: undo, force: true }, agent);
    expect(read("src/b.ts")).toBe("by a person\n");
  });

  test("what was changed while no agent was at work, unless forced, and then it is kept", async () => {
    const { options, write, read, root } = createWorkspace({ committed: FILES });
    const id = await mark(".", { ...options, now: () => minutesAgo(10) });
    write("a.txt", "by the agent\n");
    utimesSync(join(root, "a.txt"), minutesAgo(7), minutesAgo(7));
    write("src/b.ts", "by a person\n");
    write("src/new.ts", "by a person\n");
    const known = { since: minutesAgo(20), intervals: [{ from: minutesAgo(9), to: minutesAgo(5) }] };
    const activityOf = async (): Promise<Activity> => known;
    const refused = await restoreCheckpoint({ id, removeNew: true, activityOf }, options);
    expect(refused).toMatchObject({
      code: "changed-by-others",
      message:
        "Somebody else has changed 2 of the files: `src/b.ts` (it was changed while no agent was at work), `src/new.ts` (it was changed while no agent was at work).",
    });
    expect([read("a.txt"), read("src/b.ts"), read("src/new.ts")]).toEqual([
      "by the agent\n",
      "by a person\n",
      "by a person\n",
    ]);
    expect(await restoreCheckpoint({ id, dryRun: true, activityOf }, options)).toMatchObject({
      report: { warnings: [expect.stringContaining("a restore takes --force"), expect.any(String)] },
    });
    expect(await restoreCheckpoint({ id, scope: ["a.txt"], activityOf }, options)).toMatchObject({
      status: "restored",
      report: { warnings: [] },
    });
    const forced = await restoreCheckpoint({ id, force: true, removeNew: true, activityOf }, options);
    expect([read("src/b.ts"), existsSync(join(root, "src/new.ts"))]).toEqual(["two\n", false]);
    const undo = forced.status === "restored" ? (forced.report.undo?.checkpoint_id ?? "") : "";
    expect(forced).toMatchObject({ report: { warnings: [expect.stringContaining(`${undo} has what was there`)] } });
    // What the restore itself has written is nobody's work.
    expect(await restoreCheckpoint({ id: undo, activityOf }, options)).toMatchObject({ status: "restored" });
    expect([read("src/b.ts"), read("src/new.ts")]).toEqual(["by a person\n", "by a person\n"]);
  });

  test("from one checkpoint to an earlier one: what a restore has left is nobody's work", async () => {
    const { options, write, read } = createWorkspace({ committed: FILES });
    const first = await mark("a.txt", { ...options, now: () => minutesAgo(10) });
    write("a.txt", "better\n");
    const second = await mark("a.txt", { ...options, now: () => minutesAgo(8) });
    write("a.txt", "worse\n");
    const activityOf = async (): Promise<Activity> => ({ since: minutesAgo(20), intervals: [] });
    await restoreCheckpoint({ id: second, force: true }, options);
    expect(read("a.txt")).toBe("better\n");
    expect(await restoreCheckpoint({ id: first, activityOf }, options)).toMatchObject({ status: "restored" });
  });

  test("what another session has covered since", async () => {
    const { options, write } = createWorkspace({ committed: FILES });
    const id = await mark("a.txt", { ...options, session: "A" });
    write("a.txt", "by A\n");
    await mark("a.txt", { ...options, session: "B" });
    write("a.txt", "by B\n");
    expect(await restoreCheckpoint({ id }, { ...options, session: "A" })).toMatchObject({ code: "changed-by-others" });
  });

  test("a folder with files in the place of a file, unless new files may go", async () => {
    const { options, write, root, read } = createWorkspace({ committed: FILES });
    const id = await mark("a.txt", options);
    rmSync(join(root, "a.txt"));
    write("a.txt/inside", "precious\n");
    expect(await restoreCheckpoint({ id }, options)).toMatchObject({ code: "in-the-way" });
    expect(read("a.txt/inside")).toBe("precious\n");
    const back = await restoreCheckpoint({ id, removeNew: true }, options);
    expect(read("a.txt")).toBe("one\n");
    const undo = back.status === "restored" ? (back.report.undo?.checkpoint_id ?? "") : "";
    await restoreCheckpoint({ id: undo }, options);
    expect(read("a.txt/inside")).toBe("precious\n");
  });

  test("a repository in the place of a file, always", async () => {
    const { options, root } = createWorkspace({ committed: FILES });
    const id = await mark("a.txt", options);
    rmSync(join(root, "a.txt"));
    mkdirSync(join(root, "a.txt"));
    runTestGit(join(root, "a.txt"), ["init", "--quiet"]);
    expect(await restoreCheckpoint({ id, removeNew: true }, options)).toMatchObject({ code: "in-the-way" });
    expect(existsSync(join(root, "a.txt/.git/HEAD"))).toBe(true);
  });

  test("a way through a link, whose target stays as it is", async () => {
    const { options, root } = createWorkspace({ committed: FILES });
    const outside = `${root}-outside`;
    mkdirSync(outside);
    writeFileSync(join(outside, "b.ts"), "outside\n");
    const id = await mark("src/b.ts", options);
    renameSync(join(root, "src"), join(root, "moved"));
    symlinkSync(outside, join(root, "src"));
    expect(await restoreCheckpoint({ id }, options)).toMatchObject({ code: "in-the-way" });
    expect(photograph(outside)).toEqual({ "b.ts": "644 outside\n" });
  });

  test("a flipped bit in the contents", async () => {
    const { options, write, root, read } = createWorkspace({ committed: FILES });
    const id = await mark(".", options);
    write("a.txt", "broken\n");
    const store = join(root, ".git/agent-checkpoint");
    damage(store, objectOf(store, id, { file: "a.txt" }));
    expect(await restoreCheckpoint({ id }, options)).toMatchObject({ status: "refused", code: "damaged" });
    expect(read("a.txt")).toBe("broken\n");
  });

  test.for(["manifest", "entries"] as const)("a flipped bit in the %s", async (what) => {
    const { options, write, root, read } = createWorkspace({ committed: FILES });
    const id = await mark(".", options);
    write("a.txt", "broken\n");
    const store = join(root, ".git/agent-checkpoint");
    damage(store, objectOf(store, id, what));
    expect(await restoreCheckpoint({ id }, options)).toMatchObject({ status: "refused", code: "damaged" });
    expect(read("a.txt")).toBe("broken\n");
  });

  test("an edited manifest, by another commit under the ref", async () => {
    const { options, write, root, read, git } = createWorkspace({ committed: FILES });
    const id = await mark(".", options);
    write("a.txt", "broken\n");
    const repository = join(root, ".git/agent-checkpoint/snapshots.git");
    const ref = `refs/snapshots/${id}`;
    const edited = git("--git-dir", repository, "log", "-1", "--format=%B", ref).replace(
      '"confidence": 1',
      '"confidence": 0',
    );
    const commit = git("--git-dir", repository, "commit-tree", "-m", edited.trimEnd(), `${ref}^{tree}`).trim();
    git("--git-dir", repository, "update-ref", ref, commit);
    expect(await restoreCheckpoint({ id }, options)).toMatchObject({ status: "refused", code: "damaged" });
    expect(read("a.txt")).toBe("broken\n");
  });

  test.for(["../../x", "chk_20310131_120000_a1b2c3", ""])("the id %j", async (id) => {
    const { options } = createWorkspace({ committed: FILES });
    await mark(".", options);
    expect(await restoreCheckpoint({ id }, options)).toMatchObject({ status: "refused" });
  });
});
