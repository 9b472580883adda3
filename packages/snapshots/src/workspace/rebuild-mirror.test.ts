import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  collectGarbage,
  createCheckpoint,
  listCheckpoints,
  restoreCheckpoint,
  showCheckpoint,
  verifyCheckpoints,
} from "../index.ts";
import { createWorkspace, photograph, runTestGit, type Workspace } from "../testing/workspace.ts";

/** A workspace with two checkpoints, and the mirror of them. */
async function mirrored(): Promise<Workspace & { readonly ids: readonly string[]; readonly mirror: () => unknown }> {
  const workspace = createWorkspace({ committed: { "a.txt": "one\n", "b.txt": "two\n" } });
  const ids: string[] = [];
  for (const scope of ["a.txt", "."]) {
    const { report } = await createCheckpoint({ scope, expiry: "1h" }, workspace.options);
    ids.push(report.checkpoint?.id ?? "");
  }
  return { ...workspace, ids, mirror: () => photograph(join(workspace.root, ".checkpoints")) };
}

const LOSSES: Readonly<Record<string, (workspace: Workspace & { readonly ids: readonly string[] }) => void>> = {
  "git clean -fdx": ({ git }) => void git("clean", "-ffdxq"),
  "one folder deleted": ({ root, ids }) => rmSync(join(root, ".checkpoints", ids[0] ?? ""), { recursive: true }),
  "one manifest deleted": ({ root, ids }) => rmSync(join(root, ".checkpoints", ids[0] ?? "", "manifest.json")),
  "the log deleted": ({ root }) => rmSync(join(root, ".checkpoints/checkpoint-manifest.log")),
  "the log cut short": ({ root, ids }) => {
    const path = join(root, ".checkpoints/checkpoint-manifest.log");
    const lines = readFileSync(path, "utf8").split(/(?<=\n)/);
    writeFileSync(path, lines.filter((line) => !line.includes(ids[1] ?? "")).join(""));
  },
};

test.for(
  Object.keys(LOSSES).flatMap((loss) => (["list", "verify"] as const).map((operation) => ({ loss, operation }))),
)("$loss: rebuilt by $operation, as it was", async ({ loss, operation }) => {
  const workspace = await mirrored();
  const before = workspace.mirror();
  LOSSES[loss]?.(workspace);
  await (operation === "list" ? listCheckpoints(workspace.options) : verifyCheckpoints(null, workspace.options));
  expect(workspace.mirror()).toEqual(before);
});

test("the next checkpoint, and the next restore, bring a deleted mirror back", async () => {
  const { options, root, ids, write } = await mirrored();
  const mirroredIds = (): string[] => readdirSync(join(root, ".checkpoints")).filter((name) => name.startsWith("chk_"));
  rmSync(join(root, ".checkpoints"), { recursive: true });
  const { report } = await createCheckpoint({ scope: "b.txt" }, options);
  const all = [...ids, report.checkpoint?.id ?? ""];
  expect(mirroredIds().sort()).toEqual(all.toSorted());
  rmSync(join(root, ".checkpoints"), { recursive: true });
  write("a.txt", "broken\n");
  const back = await restoreCheckpoint({ id: ids[0] ?? "" }, options);
  const undo = back.status === "restored" ? back.report.undo?.checkpoint_id : null;
  expect(mirroredIds().sort()).toEqual([...all, undo ?? ""].toSorted());
});

test("a work tree gets the mirror of its own checkpoints only", async () => {
  const { options, root, ids } = await mirrored();
  const other = `${root}-other`;
  runTestGit(root, ["worktree", "add", "--quiet", "--detach", other]);
  await listCheckpoints({ ...options, cwd: other });
  expect(existsSync(join(other, ".checkpoints"))).toBe(false);
  const { report } = await createCheckpoint({ scope: "a.txt" }, { ...options, cwd: other });
  await listCheckpoints({ ...options, cwd: root });
  expect(readdirSync(join(other, ".checkpoints")).filter((name) => name.startsWith("chk_"))).toEqual([
    report.checkpoint?.id,
  ]);
  expect(
    readdirSync(join(root, ".checkpoints"))
      .filter((name) => name.startsWith("chk_"))
      .sort(),
  ).toEqual([...ids].sort());
});

test("the mirror of a checkpoint with a damaged tree is missed, and that of the others is not", async () => {
  const { options, root, ids } = await mirrored();
  const [first = "", second = ""] = ids;
  const shown = await showCheckpoint(first, options);
  const tree = shown.status === "shown" ? shown.manifest.tree.slice("sha256:".length) : "";
  writeFileSync(join(root, ".git/agent-checkpoint/trees", tree), "torn");
  rmSync(join(root, ".checkpoints"), { recursive: true });
  expect(await listCheckpoints(options)).toMatchObject({ status: "listed", checkpoints: [{}, {}] });
  expect(existsSync(join(root, ".checkpoints", second, "manifest.json"))).toBe(true);
});

test("of many entries the mirror says where the store has them", async () => {
  const { options, root } = createWorkspace({
    git: false,
    committed: Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`f${index}`, ""])),
  });
  const { report } = await createCheckpoint({ scope: "." }, options);
  const text = readFileSync(join(root, ".checkpoints", report.checkpoint?.id ?? "", "manifest.json"), "utf8");
  const mirror = JSON.parse(text) as { readonly entries: unknown; readonly entriesIn: string };
  expect(mirror).toMatchObject({ entries: null, counts: { entries: 2001 } });
  expect(readFileSync(mirror.entriesIn, "latin1").split("\n")).toHaveLength(2003);
});

test("what gc deletes goes from the mirror too, and its log says so", async () => {
  const { options, root, ids } = await mirrored();
  const later = new Date(Date.now() + 2 * 86_400_000);
  await collectGarbage({ ...options, apply: true, now: () => later });
  expect(readdirSync(join(root, ".checkpoints")).sort()).toEqual([".gitignore", "checkpoint-manifest.log"]);
  const log = readFileSync(join(root, ".checkpoints/checkpoint-manifest.log"), "utf8");
  expect(log.split("\n").filter((line) => line.includes("Checkpoint deleted"))).toEqual(
    ids.map((id) =>
      expect.stringContaining(`${later.toISOString()}: Checkpoint deleted | ${id} | git_stash | sha256:`),
    ),
  );
});
