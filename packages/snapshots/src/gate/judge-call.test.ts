import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { createCheckpoint } from "../index.ts";
import { createWorkspace, type Workspace } from "../testing/workspace.ts";
import { type CallTarget, judgeCall } from "./judge-call.ts";

const FILES = { "src/a.ts": "a\n", "src/b.ts": "b\n", "docs/x.md": "x\n", ".gitignore": "out/\n" };

function judge({ options }: Workspace, target: CallTarget, { later = 0, cwd = options.cwd } = {}) {
  const now = new Date(Date.now() + later * 60_000);
  return judgeCall({ tool: "Edit", target }, { ...options, cwd, freshMinutes: 30, now, program: ["checkpoint"] });
}

const edit = (...files: readonly string[]): CallTarget => ({ kind: "files", files });
const shell = (command: string): CallTarget => ({ kind: "shell", command });

async function checkpoint({ options }: Workspace, ...scope: readonly string[]): Promise<void> {
  const made = await createCheckpoint({ scope }, options);
  expect(made.status).toBe("created");
}

const cases: readonly {
  readonly what: string;
  readonly scope: readonly string[];
  readonly target: CallTarget;
  readonly later?: number;
  readonly allowed: boolean;
}[] = [
  { what: "a file without a checkpoint", scope: [], target: edit("src/a.ts"), allowed: false },
  { what: "a file of its own checkpoint", scope: ["src/a.ts"], target: edit("src/a.ts"), allowed: true },
  { what: "another file", scope: ["src/a.ts"], target: edit("src/b.ts"), allowed: false },
  { what: "one of two files", scope: ["src/a.ts"], target: edit("src/a.ts", "src/b.ts"), allowed: false },
  { what: "a file of a captured folder", scope: ["src"], target: edit("src/b.ts"), allowed: true },
  { what: "a file of a glob", scope: ["src/*.ts"], target: edit("src/b.ts"), allowed: true },
  { what: "a new file in a captured folder", scope: ["src"], target: edit("src/deep/new.ts"), allowed: true },
  { what: "a new file elsewhere", scope: ["src"], target: edit("docs/new.md"), allowed: false },
  {
    what: "a new file that was recorded as absent",
    scope: ["docs/new.md"],
    target: edit("docs/new.md"),
    allowed: true,
  },
  { what: "an old checkpoint", scope: ["src"], target: edit("src/a.ts"), later: 31, allowed: false },
  { what: "one that is just fresh", scope: ["src"], target: edit("src/a.ts"), later: 29, allowed: true },
  { what: "a file outside the project", scope: [], target: edit("/etc/hosts"), allowed: true },
  { what: "a sensitive file, which no checkpoint holds", scope: [], target: edit(".env"), allowed: true },
  { what: "a file of git's own", scope: [], target: edit(".git/config"), allowed: true },
  { what: "a file of the mirror", scope: [], target: edit(".checkpoints/x"), allowed: true },
  { what: "a command without a checkpoint", scope: [], target: shell("make"), allowed: false },
  { what: "a command with a checkpoint of a part", scope: ["src"], target: shell("make"), allowed: false },
  { what: "a command with a checkpoint of everything", scope: ["."], target: shell("make"), allowed: true },
  { what: "a command that only looks", scope: [], target: shell("ls -la"), allowed: true },
];

test.for(cases)("$what: allowed is $allowed", async ({ scope, target, later = 0, allowed }) => {
  const workspace = createWorkspace({ committed: FILES });
  if (scope.length > 0) await checkpoint(workspace, ...scope);
  expect((await judge(workspace, target, { later })).allowed).toBe(allowed);
});

test("the command that is asked for is the one that lets the call pass", async () => {
  const workspace = createWorkspace({ committed: { "it's here/a b.ts": "a\n" } });
  const target = edit(join(workspace.root, "it's here/a b.ts"));
  const verdict = await judge(workspace, target);
  const command = verdict.allowed ? "" : (/^ {4}(.*)$/m.exec(verdict.reason)?.[1] ?? "");
  const said = execFileSync("sh", ["-c", `checkpoint() { printf '%s\\n' "$@"; }; ${command}`], { encoding: "utf8" });
  const [snapshot, create, scope = "", ...rest] = said.trimEnd().split("\n");
  expect([snapshot, create, ...rest]).toEqual([
    "snapshot",
    "create",
    "--root",
    workspace.root,
    "--reason",
    "before Edit",
    "--allow-absent",
  ]);
  await checkpoint(workspace, scope);
  expect(await judge(workspace, target)).toEqual({ allowed: true });
});

test("a command of a shell is told that its targets cannot be known", async () => {
  const workspace = createWorkspace({ committed: FILES });
  expect(await judge(workspace, shell("make"))).toMatchObject({
    reason: expect.stringMatching(/cannot be known before it runs.*whole workspace[^]*snapshot create \S+work --root/),
  });
});

test("a file that was made since is new to a restore; one that was there and ignored is not covered", async () => {
  const workspace = createWorkspace({ committed: FILES });
  workspace.write("out/built.js", "built\n");
  await pause(20);
  await checkpoint(workspace, ".");
  await pause(20);
  workspace.write("src/made.ts", "made\n");
  utimesSync(join(workspace.root, "src/made.ts"), 0, 0);
  expect(await judge(workspace, edit("src/made.ts"))).toEqual({ allowed: true });
  expect((await judge(workspace, edit("out/built.js"))).allowed).toBe(false);
  await checkpoint(workspace, "out/built.js");
  expect(await judge(workspace, edit("out/built.js"))).toEqual({ allowed: true });
});

test("a link to the project, and a folder below it, lead to the same files", async () => {
  const workspace = createWorkspace({ committed: FILES });
  await checkpoint(workspace, "src/a.ts");
  const link = join(workspace.root, "../link");
  symlinkSync(workspace.root, link);
  expect(await judge(workspace, edit(join(link, "src/a.ts")))).toEqual({ allowed: true });
  expect(await judge(workspace, edit("a.ts"), { cwd: join(workspace.root, "src") })).toEqual({ allowed: true });
  expect((await judge(workspace, edit("b.ts"), { cwd: join(workspace.root, "src") })).allowed).toBe(false);
});

test("where nothing can be captured, nothing is asked for", async () => {
  const workspace = createWorkspace({ git: false });
  mkdirSync(join(workspace.root, "sub"));
  const atHome = { ...workspace, options: { ...workspace.options, userHome: workspace.root } };
  expect(await judge(atHome, edit("x"))).toEqual({ allowed: true });
});
