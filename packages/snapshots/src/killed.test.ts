import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCheckpoint, listCheckpoints, restoreCheckpoint, verifyCheckpoints } from "./index.ts";
import { writeLoose } from "./objects.ts";
import { layoutOf } from "./place.ts";
import { buildChildProgram, type ChildProgram } from "./testing/child-program.ts";
import { createWorkspace, photograph, photographGit, runTestGit, type Workspace } from "./testing/workspace.ts";

let child: ChildProgram;
beforeAll(async () => {
  child = await buildChildProgram();
});
afterAll(() => child.remove());

const FILES = { "a.txt": "one\n", "src/b.ts": "two\n", "src/deep/c.ts": "three\n", "gone/d": "four\n" };

function storeOf({ root }: Workspace): string {
  return join(root, ".git", "agent-checkpoint");
}

test(
  "a process killed at any step of creating leaves the checkpoint whole or none, and the next run cleans up",
  { timeout: 120_000 },
  async () => {
    const steps = child.run({ options: createWorkspace({ committed: FILES }).options, killAt: null })?.steps ?? [];
    expect(steps).toEqual(["started", "captured", "stored", "drilled", "published", "mirrored"]);
    for (const killAt of steps.keys()) {
      const workspace = createWorkspace({ committed: FILES });
      const before = { files: photograph(workspace.root, { times: true }), git: photographGit(workspace.root) };
      expect(child.run({ options: workspace.options, killAt })).toBeNull();
      expect({ files: photograph(workspace.root, { times: true }), git: photographGit(workspace.root) }).toEqual(
        before,
      );
      // Objects can be written one by one, too.
      if (killAt < steps.indexOf("published"))
        writeLoose(layoutOf(storeOf(workspace)), "blob", Buffer.from("left behind\n"));
      const next = await createCheckpoint({ scope: "." }, workspace.options);
      const isPublished = Number(killAt >= steps.indexOf("published"));
      expect(next.status === "created" && next.notes.some((note) => note.includes("Cleaned up"))).toBe(
        isPublished === 0,
      );
      const listed = await listCheckpoints(workspace.options);
      expect(listed).toMatchObject({
        checkpoints: Array.from({ length: isPublished + 1 }, () => ({ status: "ready" })),
      });
      expect(await verifyCheckpoints(null, workspace.options)).toMatchObject({ status: "verified" });
      expect(readdirSync(join(storeOf(workspace), "tmp"))).toEqual([]);
      const repository = join(storeOf(workspace), "snapshots.git");
      expect(runTestGit(workspace.root, ["--git-dir", repository, "fsck", "--unreachable"])).toBe("");
    }
  },
);

test(
  "a process killed at any step of restoring leaves, after the next run, the state before or the state wanted",
  { timeout: 240_000 },
  async () => {
    const prepare = async () => {
      const workspace = createWorkspace({ committed: FILES });
      const wanted = photograph(workspace.root);
      const made = await createCheckpoint({ scope: "." }, workspace.options);
      if (made.status !== "created") throw new Error(made.message);
      workspace.write("a.txt", "broken\n", 0o755);
      workspace.write("src/b.ts", "broken\n");
      rmSync(join(workspace.root, "src/deep"), { recursive: true });
      workspace.write("src/deep", "a file now\n");
      rmSync(join(workspace.root, "gone"), { recursive: true });
      workspace.write("new/e", "new\n");
      return {
        ...workspace,
        wanted,
        mutated: photograph(workspace.root),
        restore: { id: made.report.checkpoint?.id ?? "", removeNew: true },
      };
    };
    const first = await prepare();
    const steps = child.run({ options: first.options, restore: first.restore, killAt: null })?.steps ?? [];
    expect(photograph(first.root)).toEqual(first.wanted);
    const begins = steps.indexOf("journal written");
    expect(begins).toBeGreaterThan(0);
    for (const [killAt, name] of steps.entries()) {
      const workspace = await prepare();
      const git = photographGit(workspace.root);
      expect(child.run({ options: workspace.options, restore: workspace.restore, killAt })).toBeNull();
      const next = await createCheckpoint({ scope: "a.txt" }, workspace.options);
      const isDone = killAt >= begins;
      expect(photograph(workspace.root)).toEqual(isDone ? workspace.wanted : workspace.mutated);
      expect(photographGit(workspace.root)).toEqual(git);
      const isNoted = isDone && name !== "journal removed";
      expect(next.status === "created" && next.notes.some((note) => note.includes("Finished a restore"))).toBe(isNoted);
      expect(readdirSync(join(storeOf(workspace), "journals"))).toEqual([]);
      expect(readdirSync(join(workspace.root, ".checkpoints")).filter((file) => file.startsWith("restore-"))).toEqual(
        [],
      );
      expect(await restoreCheckpoint(workspace.restore, workspace.options)).toMatchObject({
        report: { verification: { match: true } },
      });
    }
  },
);
