import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SafetyOptions } from "./place.ts";
import {
  collectGarbage,
  createCheckpoint,
  diffCheckpoint,
  listCheckpoints,
  pinCheckpoint,
  restoreCheckpoint,
  restoreInto,
  showCheckpoint,
  verifyCheckpoints,
} from "./index.ts";
import { damage, objectOf } from "./testing/damage.ts";
import { createWorkspace, type Workspace } from "./testing/workspace.ts";

const NOW = new Date("2031-01-31T12:00:00.000Z");
/** In two parts, so that this file itself holds none. */
const TOKEN = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");
const UNKNOWN = "chk_20310131_120000_a1b2c3";

type Operation = (id: string, options: SafetyOptions) => Promise<{ readonly status: string }>;

/** What only looks. */
const LOOKS: readonly { readonly name: string; readonly run: Operation; readonly exit: number }[] = [
  { name: "list", run: (_, options) => listCheckpoints(options), exit: 0 },
  { name: "show", run: (id, options) => showCheckpoint(id, options), exit: 0 },
  { name: "show unknown", run: (_, options) => showCheckpoint(UNKNOWN, options), exit: 2 },
  { name: "verify", run: (id, options) => verifyCheckpoints(id, options), exit: 0 },
  { name: "diff", run: (id, options) => diffCheckpoint({ id }, options), exit: 1 },
  { name: "gc", run: (_, options) => collectGarbage(options), exit: 0 },
  { name: "restore --dry-run", run: (id, options) => restoreCheckpoint({ id, dryRun: true }, options), exit: 0 },
];

const ALL = [
  ...LOOKS,
  { name: "verify damaged", run: verifyDamaged, exit: 1 },
  { name: "restore unknown", run: (_, options) => restoreCheckpoint({ id: UNKNOWN }, options), exit: 2 },
  { name: "restore --into", run: (id, options) => restoreInto(id, "../copy", options), exit: 0 },
  { name: "pin", run: (id, options) => pinCheckpoint(id, options), exit: 0 },
  { name: "pin unknown", run: (_, options) => pinCheckpoint(UNKNOWN, options), exit: 2 },
  { name: "restore", run: (id, options) => restoreCheckpoint({ id }, options), exit: 0 },
  { name: "gc --apply", run: (_, options) => collectGarbage({ ...options, apply: true }), exit: 0 },
] satisfies typeof LOOKS;

async function verifyDamaged(id: string, options: SafetyOptions): Promise<{ readonly status: string }> {
  const store = join(options.cwd, ".git/agent-checkpoint");
  damage(store, objectOf(store, id, "manifest"));
  return verifyCheckpoints(null, options);
}

/** A workspace with one checkpoint, a change since, and no audit yet. */
async function marked(): Promise<Workspace & { readonly id: string }> {
  const workspace = createWorkspace({ committed: { "a.txt": "one\n" } });
  const { report } = await createCheckpoint({ scope: "a.txt" }, workspace.options);
  workspace.write("a.txt", "two\n");
  return { ...workspace, id: report.checkpoint?.id ?? "" };
}

test.for(ALL)("$name leaves one line, redacted, with the program's exit code", async ({ name, run, exit }) => {
  const { options, root, git, id } = await marked();
  await run(id, { ...options, now: () => NOW, auditAs: `checkpoint snapshot ${name} --token ${TOKEN}` });
  const [line, ...more] = readFileSync(join(root, ".audit/checkpoint-operations.log"), "utf8").trimEnd().split("\n");
  expect(line).not.toContain(TOKEN);
  expect(line?.replace(/--token \S+/, "--token X")).toBe(
    `[CHECKPOINT] 2031-01-31T12:00:00Z | Command: checkpoint snapshot ${name} --token X | Exit: ${exit}`,
  );
  expect(more).toEqual([]);
  expect(git("status", "--porcelain", "--untracked-files=all")).not.toContain(".audit");
});

describe.for(LOOKS)("$name", ({ name, run }) => {
  test("where nothing was ever made, nothing is made by looking", async () => {
    const { options, root } = createWorkspace({ git: false });
    await run(UNKNOWN, { ...options, auditAs: name });
    expect([root, options.home].map((folder) => existsSync(join(folder, ".audit")))).toEqual([false, false]);
    expect(existsSync(join(options.home, "snapshots"))).toBe(false);
  });

  test("gives the same answer where neither line nor mirror can be written", async () => {
    const { options, root, id } = await marked();
    const asked = { ...options, now: () => NOW, auditAs: name };
    const before = await run(id, asked);
    for (const folder of [".audit", ".checkpoints"]) rmSync(join(root, folder), { recursive: true, force: true });
    // A file in the place of a folder stops even those whom permissions do not.
    for (const folder of [".audit", ".checkpoints"]) writeFileSync(join(root, folder), "somebody's\n");
    chmodSync(root, 0o500);
    const after = await run(id, asked);
    chmodSync(root, 0o700);
    expect(after).toEqual(before);
    expect(readFileSync(join(root, ".audit"), "utf8")).toBe("somebody's\n");
  });
});
