import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { collectGarbage, createCheckpoint, restoreCheckpoint, showCheckpoint } from "./index.ts";
import { createWorkspace } from "./testing/workspace.ts";

test("a workspace has the manifests of its snapshots, and a restore does not need them", async () => {
  const { options, root, write, read, git } = createWorkspace({ committed: { "a.txt": "one\n" } });
  const { report } = await createCheckpoint({ scope: "." }, options);
  const id = report.checkpoint?.id ?? "";
  const shown = await showCheckpoint(id, options);
  const manifest: unknown = JSON.parse(readFileSync(join(root, ".checkpoints", id, "manifest.json"), "utf8"));
  expect(shown).toMatchObject({ manifest });
  expect(git("status", "--porcelain")).toBe("");
  rmSync(join(root, ".checkpoints"), { recursive: true });
  write("a.txt", "broken\n");
  const back = await restoreCheckpoint({ id }, options);
  const undo = back.status === "restored" ? (back.report.undo?.checkpoint_id ?? "") : "";
  expect([read("a.txt"), existsSync(join(root, ".checkpoints", undo, "manifest.json"))]).toEqual(["one\n", true]);
});

test("what gc deletes goes from the workspace too, and its log says so", async () => {
  const { options, root } = createWorkspace({ committed: { "a.txt": "one\n" } });
  const { report } = await createCheckpoint({ scope: ".", expiry: "1h" }, options);
  const id = report.checkpoint?.id ?? "";
  const later = new Date(Date.now() + 2 * 86_400_000);
  await collectGarbage({ ...options, apply: true, now: () => later });
  expect(readdirSync(join(root, ".checkpoints")).sort()).toEqual([".gitignore", "checkpoint-manifest.log"]);
  const log = readFileSync(join(root, ".checkpoints/checkpoint-manifest.log"), "utf8").trimEnd().split("\n");
  expect(log).toEqual([
    expect.stringContaining(`Checkpoint created successfully | ${id} | git_stash | sha256:`),
    expect.stringContaining(`${later.toISOString()}: Checkpoint deleted | ${id} | git_stash | sha256:`),
  ]);
});
