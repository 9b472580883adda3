import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { claudeEvents, loadScenario, makeRepository, writeClaudeTranscript } from "@agent-checkpoint/fixtures";
import { execa } from "execa";
import { afterAll, expect, test } from "vitest";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "agent-checkpoint-packed-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the installed programs are run with: nothing of this repository is on the PATH. */
const env = {
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  HOME: join(folder, "home"),
  CHECKPOINT_HOME: join(folder, "store"),
};

test("the packed program, installed alone, sets itself up, proves that it fires, and blocks one stop", async () => {
  const { prefix, project } = await installPacked();
  const bin = join(prefix, "node_modules", ".bin", "checkpoint");
  const checkpoint = (...args: string[]) =>
    execa(bin, args, { cwd: project, env, extendEnv: false, reject: false, stdin: "ignore" });

  expect(await checkpoint("init", "--agent", "claude", "--yes")).toMatchObject({ exitCode: 0, stderr: "" });
  const command = stopCommand();
  expect(command).toContain(`${prefix}/node_modules/@agent-checkpoint/cli/dist/checkpoint-hook.cjs`);

  // A made-up stop has compiled the hook's code, and nothing of it is on record.
  expect(readdirSync(env.CHECKPOINT_HOME)).toEqual(["compile-cache"]);
  expect(compiledCode()).toMatchObject({ "checkpoint-hook-judge.cjs": "whole", "checkpoint-hook-main.cjs": "whole" });

  const { stdout } = await checkpoint("doctor", "--agent", "claude", "--json");
  expect(findingsOf(JSON.parse(stdout) as DoctorReport, "canary")).toMatchObject([{ level: "ok" }]);

  const first = await stop(command, project);
  expect(first).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(first.stdout)).toMatchObject({
    decision: "block",
    reason: expect.stringContaining("- code: `src/index.ts`"),
  });
  expect(await stop(command, project)).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });

  await installBinary(prefix);
  expect(await checkpoint("init", "--agent", "claude", "--yes")).toMatchObject({ exitCode: 0, stderr: "" });
  const binary = stopCommand();
  expect(binary).toContain(`${prefix}/node_modules/@agent-checkpoint/hook-${PLATFORM}/dist/checkpoint-hook`);
  const proven = JSON.parse((await checkpoint("doctor", "--agent", "claude", "--json")).stdout) as DoctorReport;
  expect(findingsOf(proven, "canary")).toMatchObject([{ level: "ok" }]);
  expect(findingsOf(proven, "program")).toMatchObject([
    { level: "ok", what: expect.stringContaining("an executable") },
  ]);
  expect(await stop(binary, project)).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });

  // Only shown, as an agent may run these tests, and only a person may remove the hooks.
  expect(await checkpoint("uninstall", "--agent", "claude", "--dry-run")).toMatchObject({ exitCode: 0, stderr: "" });

  writeFileSync(join(project, "app.db"), "");
  const withDatabase = await checkpoint("snapshot", "create", "sqlite:app.db", "--reason", "before");
  expect(withDatabase).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("better-sqlite3@13") });

  const installed = join(prefix, "node_modules");
  expect(existsSync(join(installed, "@agent-checkpoint", "cli", "dist", "THIRD-PARTY-NOTICES.txt"))).toBe(true);
  expect(["gpt-tokenizer", "better-sqlite3"].filter((name) => existsSync(join(installed, name)))).toEqual([]);
  expect(megabytesIn(installed)).toBeLessThan(MAX_INSTALLED_MB);
}, 180_000);

/** Without the executable, which brings its own runtime. */
const MAX_INSTALLED_MB = 20;

function megabytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const isCounted = (path: string) => !path.includes("/@agent-checkpoint/hook-");
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter(isCounted);
  return paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6;
}

interface DoctorReport {
  readonly groups: readonly { readonly checks: readonly { readonly id: string; readonly findings: unknown }[] }[];
}

function findingsOf({ groups }: DoctorReport, check: string): unknown {
  return groups[0]?.checks.find(({ id }) => id === check)?.findings;
}

/** The files of the hook with compiled code, and whether a stop that was blocked has compiled them. */
function compiledCode(): Readonly<Record<string, string>> {
  const folder = join(env.CHECKPOINT_HOME, "compile-cache");
  const heads = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "latin1").split("\n", 1)[0]]);
  return Object.fromEntries(heads.map(([name, head = ""]) => [name, head.split(" ").at(-1)])) as Record<string, string>;
}

const PLATFORM = `${process.platform}-${process.arch}`;

/** Adds the package with the executable, as npm does on a platform that there is one for. */
async function installBinary(prefix: string): Promise<void> {
  const packed = join(folder, "binary");
  const cwd = join(PACKAGE, "..", "..", "binaries", PLATFORM);
  await execa("pnpm", ["pack", "--pack-destination", packed], { cwd, preferLocal: true });
  const [tarball = ""] = readdirSync(packed);
  await execa("npm", ["install", "--prefix", prefix, "--no-audit", "--no-fund", join(packed, tarball)], {
    cwd: prefix,
  });
}

/** Packs the built package, installs the tarball into an empty prefix and lays a repository out beside it. */
async function installPacked(): Promise<{ readonly prefix: string; readonly project: string }> {
  const prefix = join(folder, "prefix");
  const project = join(folder, "project");
  mkdirSync(prefix);
  mkdirSync(env.HOME);
  await execa("pnpm", ["pack", "--pack-destination", folder], { cwd: PACKAGE, preferLocal: true });
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  await execa("npm", ["install", "--prefix", prefix, "--no-audit", "--no-fund", join(folder, tarball)], {
    cwd: prefix,
  });
  await makeRepository(project, SCENARIO);
  return { prefix, project };
}

const SCENARIO = {
  ...loadScenario("generic-done"),
  committed: ["src/index.ts", "tests/index.test.ts"],
  contents: { "package.json": '{ "scripts": { "test": "node --test" } }\n' },
  modified: ["src/index.ts"],
  added: [],
};

/** The command that `init` has registered for the end of a turn. */
function stopCommand(): string {
  const { hooks } = JSON.parse(readFileSync(join(env.HOME, ".claude", "settings.json"), "utf8")) as {
    hooks: { Stop: { hooks: { command: string }[] }[] };
  };
  return hooks.Stop[0]?.hooks[0]?.command ?? "";
}

const FACTS = {
  sessionId: randomUUID(),
  promptId: randomUUID(),
  prompt: "Change it",
  promptAt: new Date(Date.now() - 120_000),
  lastMessage: "Done.",
};

/** Stops a turn of Claude Code that changed a file and tested nothing, the way Claude Code calls a hook. */
async function stop(
  command: string,
  project: string,
): Promise<{ readonly exitCode?: number | undefined; readonly stdout: string; readonly stderr: string }> {
  const facts = { ...FACTS, projectPath: project };
  const transcript = join(folder, "session.jsonl");
  writeFileSync(transcript, writeClaudeTranscript([{ edit: "src/index.ts" }], facts));
  const { stop: event } = claudeEvents(facts, transcript);
  return execa("sh", ["-c", command], {
    cwd: project,
    env: { ...env, CLAUDE_PROJECT_DIR: project },
    extendEnv: false,
    input: JSON.stringify(event),
    reject: false,
  });
}
