import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createCheckpoint } from "../index.ts";
import { createWorkspace } from "../testing/workspace.ts";

/** Where a store may be; from another disk a mirror cannot be moved into its place. */
const PLACES: readonly { readonly where: string; readonly make: (root: string) => string }[] = [
  { where: "in the repository", make: (root) => join(root, ".git/agent-checkpoint") },
  {
    where: "that may be on another disk",
    make: () => {
      const store = mkdtempSync(join(realpathSync(tmpdir()), "safety-store-"));
      onTestFinished(() => rmSync(store, { recursive: true }));
      return store;
    },
  },
];

test.for(PLACES)("with a store $where, the mirror is in its place, and its draft is gone", async ({ make }) => {
  const { options, root } = createWorkspace({ committed: { "a.txt": "one\n" } });
  const store = make(root);
  for (const count of [1, 2]) {
    const made = await createCheckpoint({ scope: "." }, { ...options, store });
    expect(made).toMatchObject({ status: "created", notes: [] });
    const id = made.report.checkpoint?.id ?? "";
    const mirror: unknown = JSON.parse(readFileSync(join(root, ".checkpoints", id, "manifest.json"), "utf8"));
    expect(mirror).toMatchObject({ id, entries: [{ path: "a.txt", mode: "0644" }] });
    expect(readdirSync(join(root, ".checkpoints")).filter((name) => name.startsWith("chk_"))).toHaveLength(count);
    const log = readFileSync(join(root, ".checkpoints/checkpoint-manifest.log"), "utf8");
    expect(log.split("\n").filter((line) => line.includes(id))).toHaveLength(1);
    expect(readdirSync(join(store, "tmp"))).toEqual([]);
  }
});

test("a link in the place of the mirror is not followed, and the checkpoint is made", async () => {
  const { options, root } = createWorkspace({ committed: { "a.txt": "one\n" } });
  mkdirSync(`${root}-elsewhere`);
  symlinkSync(`${root}-elsewhere`, join(root, ".checkpoints"));
  const made = await createCheckpoint({ scope: "a.txt" }, options);
  expect(made).toMatchObject({ status: "created", notes: [expect.stringContaining("no mirror")] });
  expect(readdirSync(`${root}-elsewhere`)).toEqual([]);
  expect(readdirSync(join(root, ".git/agent-checkpoint/tmp"))).toEqual([]);
});
