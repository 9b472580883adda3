import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Step, writeClaudeSession } from "../replay/testing/claude-session.ts";
import { runCheckpoint } from "../testing/run-checkpoint.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "learn-command-")));
  mkdirSync(join(folder, "project", ".git"), { recursive: true });
  mkdirSync(join(folder, "home/.claude/projects/x"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const VITEST = " Test Files  3 passed (3)\n      Tests  41 passed (41)\n   Start at  10:00:00\n   Duration  1.20s\n";
const PYTEST = "============================== 12 passed in 0.31s ==============================";
const RED = "========================= 1 failed, 11 passed in 0.40s =========================";

function runs(command: string, result: string): Step {
  return { tool: "Bash", input: { command }, result };
}

function writeSession(name: string, project: string, steps: readonly Step[]): void {
  const path = join(folder, "home/.claude/projects/x", `${name}.jsonl`);
  writeClaudeSession(path, [{ prompt: "Do it" }, ...steps, { says: "Done." }], {
    cwd: join(folder, project),
    sessionId: name,
  });
}

function learn(...args: readonly string[]) {
  return run("learn", ...args);
}

async function run(...args: readonly string[]) {
  const { stdout } = await runCheckpoint(args, {
    cwd: join(folder, "project"),
    userHome: join(folder, "home"),
    home: join(folder, "store"),
    now: () => new Date("2026-11-02T12:00:00Z"),
    columns: 200,
  });
  return stdout;
}

test("says which commands were green, where, and proposes rows for them", async () => {
  writeSession("one", "project", [
    runs("mise run test:unit", VITEST),
    runs("mise run test:unit -- src/a.test.ts | tail -5", VITEST),
    runs("cd api && uv run pytest -q tests/test_a.py", RED),
    runs("cd api && uv run pytest -q && ruff check", PYTEST),
    runs("echo done", "done"),
  ]);
  writeSession("two", "project", [runs("cd api && uv run pytest", PYTEST)]);
  const { sessions, commands, actions } = JSON.parse(await learn("--json"));
  expect(sessions).toBe(2);
  expect(commands).toMatchObject([
    { command: "mise run test:unit", folder: "", runners: ["vitest"], languages: ["javascript"], green: 2, red: 0 },
    { command: "uv run pytest", folder: "api", runners: ["pytest"], languages: ["python"], green: 2, red: 1 },
  ]);
  expect(actions).toEqual([
    {
      id: "tests",
      stage: "validate",
      instruction:
        "Run targeted tests for changed behavior (JavaScript/TypeScript: `mise run test:unit`, Python: `cd api && uv run pytest`)",
      steps: [{ run: "mise run test:unit", evidence: [] }],
    },
  ]);
  expect(await learn()).toContain("`mise run test:unit` printed a vitest summary 2 times, 2 green, last");
});

test("leaves sessions of other repositories out", async () => {
  writeSession("other", "elsewhere", [runs("npm test", VITEST)]);
  expect(await learn()).toBe("No test report was found in 0 past sessions of this repository.\n");
});

const starts = [
  { line: "op run --token hunter2-Correct -- pytest", command: "pytest" },
  { line: "docker run -e TOKEN=hunter2-Correct image pytest", command: "pytest" },
  { line: "PAT=hunter2-Correct uv run pytest", command: "uv run pytest" },
];
test.for(starts)("a value is no part of a command: $line", async ({ line, command }) => {
  writeSession("one", "project", [runs(line, PYTEST)]);
  expect(JSON.parse(await learn("--json"))).toMatchObject({ commands: [{ command }] });
});

const offers = [
  { sessions: { one: "project", two: "project", three: "elsewhere" }, offer: ["2 past sessions of this repository"] },
  { sessions: { one: "project" }, offer: ["One past session of this repository"] },
  { sessions: { three: "elsewhere" }, offer: null },
];
test.for(offers)("`init` offers it if there are sessions: $offer", async ({ sessions, offer }) => {
  for (const [name, project] of Object.entries(sessions)) writeSession(name, project, [runs("pytest", PYTEST)]);
  const shown = (await run("init", "--dry-run")).match(/.* of this repository(?=: `checkpoint learn` says)/g);
  expect(shown?.map((line) => line.replace(/^\W+/, "")) ?? null).toEqual(offer);
});
