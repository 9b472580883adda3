import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ReplayReport } from "../replay/report/build-report.ts";
import { bash, read, type Step, write, writeClaudeSession } from "../replay/testing/claude-session.ts";
import { type CliRun, runCheckpoint } from "../testing/run-checkpoint.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "replay-command-"));
  mkdirSync(join(folder, "sessions"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

const run = (...args: readonly string[]): Promise<CliRun> =>
  runCheckpoint(["replay", ...args], {
    cwd: folder,
    userHome: at("home"),
    home: at("store"),
    now: () => new Date("2026-11-16T12:00:00Z"),
  });

const report = async (...args: readonly string[]): Promise<ReplayReport> => {
  const { stdout, stderr } = await run(...args, "--json");
  expect(stderr).toBe("");
  return JSON.parse(stdout) as ReplayReport;
};

const UNTESTED: readonly Step[] = [{ prompt: "Do it" }, read("src/a.test.ts"), write("src/a.ts"), { says: "Done." }];
const TESTED: readonly Step[] = [{ prompt: "Do it" }, write("src/a.ts"), bash("npm test"), { says: "Done." }];

test("finds the person's own sessions", async () => {
  mkdirSync(at("home/.claude/projects/-home-dev-project"), { recursive: true });
  writeClaudeSession(at("home/.claude/projects/-home-dev-project/s.jsonl"), UNTESTED);
  expect((await report()).totals).toMatchObject({ sessions: 1, stops: 1, blocked: 1 });
  expect((await report("--agent", "codex")).totals).toMatchObject({ sessions: 0 });
});

test("says so where there is nothing to replay", async () => {
  expect(await run()).toEqual({
    exitCode: 0,
    stderr: "",
    stdout:
      "No transcripts were found. Name files or folders, or run it as the person whose sessions are to be replayed.\n",
  });
});

test("prints what would have been blocked, by rule, with examples", async () => {
  writeClaudeSession(at("sessions/one.jsonl"), [...UNTESTED, ...TESTED]);
  writeClaudeSession(at("sessions/two.jsonl"), [...TESTED, ...TESTED, ...TESTED], { cwd: "/home/dev/other" });
  const { exitCode, stdout } = await run("sessions");
  expect(exitCode).toBe(0);
  await expect(stdout).toMatchFileSnapshot("testing/replay.txt");
});

test("prints a line for every stop, with what it was judged on", async () => {
  writeClaudeSession(at("s.jsonl"), [...UNTESTED, ...TESTED]);
  const { exitCode, stdout } = await run("--stops", "s.jsonl");
  const lines = stdout.split("\n").filter((line) => line !== "");
  expect(exitCode).toBe(0);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      file: at("s.jsonl"),
      turn: 1,
      promptOffset: 0,
      verdict: "block",
      reason: "missing-actions",
      actions: ["tests"],
      evidence: [],
      changedFiles: ["src/a.ts"],
      observations: ["Code was modified but a run of the tests was not observed this turn."],
    },
    {
      file: at("s.jsonl"),
      turn: 2,
      promptOffset: expect.any(Number),
      verdict: "pass",
      reason: "all-clear",
      actions: [],
      evidence: [expect.any(String)],
      changedFiles: ["src/a.ts"],
      observations: [],
    },
  ]);
});

describe("rules", () => {
  beforeEach(() => writeClaudeSession(at("sessions/s.jsonl"), UNTESTED, { cwd: at("project") }));

  test("are those of the config that is given", async () => {
    writeFileSync(
      at("strict.json"),
      '{ "actions": [{ "id": "tests", "off": true }], "categories": [{ "id": "source-code", "off": true }, { "id": "tests-only", "off": true }] }',
    );
    const { config, rules } = await report("sessions", "--config", "strict.json");
    expect(config).toBe(at("strict.json"));
    expect(rules).toEqual([]);
  });

  test("are the project's own where it still exists, and a change of them counts", async () => {
    const path = at("project/src/a.ts");
    writeClaudeSession(
      at("sessions/s.jsonl"),
      [{ prompt: "Do it" }, { tool: "Write", input: { file_path: path } }, bash("npm test"), { says: "Done." }],
      { cwd: at("project") },
    );
    expect((await report("sessions")).totals.blocked).toBe(0);
    mkdirSync(at("project"));
    writeFileSync(
      at("project/checkpoint.config.json"),
      '{ "actions": [{ "id": "lint", "steps": ["npm run lint"] }], "categories": [{ "id": "code", "include": ["**/*.ts"], "action": "lint" }] }',
    );
    const after = await report("sessions");
    expect(after.rules.map(({ rule }) => rule)).toContain("lint");
  });

  test("that cannot be used are named: of the project with the file, of --config as an error", async () => {
    mkdirSync(at("project"));
    writeFileSync(at("project/checkpoint.config.json"), '{ "timerSeconds": "soon" }');
    const { files } = await report("sessions");
    expect(files.failed).toEqual([{ path: at("sessions/s.jsonl"), reason: expect.stringContaining("timerSeconds") }]);
    const refused = await run("sessions", "--config", "project/checkpoint.config.json");
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toContain("timerSeconds");
    expect(await run("sessions", "--config", "nowhere.json")).toMatchObject({ exitCode: 2, stdout: "" });
  });

  test("a root to lend from that does not exist is refused, since it would let every stop pass", async () => {
    const refused = await run("--stops", "sessions", "--root", "nowhere");
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toContain("There is no folder");
  });
});

test("bad files are counted and named, and the others are replayed", async () => {
  writeClaudeSession(at("sessions/good.jsonl"), UNTESTED);
  writeFileSync(at("sessions/torn.jsonl"), "{not json\n");
  writeFileSync(at("sessions/\u001B[31mred.json"), '{"sessionId":"x","projectHash":"00","messages":[{');
  const { files, totals } = await report("sessions");
  expect(totals.blocked).toBe(1);
  expect(files).toMatchObject({ replayed: 1, notTranscripts: 1 });
  expect(files.failed).toEqual([{ path: at("sessions/\u001B[31mred.json"), reason: "not-a-transcript" }]);
  const { exitCode, stdout } = await run("sessions");
  expect(exitCode).toBe(0);
  expect(stdout).toContain(String.raw`\x1b[31mred.json: is not a transcript of a known agent`);
});

test("a path that was named and cannot be replayed gives exit code 1", async () => {
  writeFileSync(at("sessions/torn.jsonl"), "{not json\n");
  const { exitCode, stdout } = await run("sessions/torn.jsonl", "nowhere");
  expect(exitCode).toBe(1);
  expect(stdout).toContain("2 files could not be replayed:");
});

test("a second run gives the same, leaves nothing on the disk, and reads a file that grew", async () => {
  writeClaudeSession(at("sessions/s.jsonl"), UNTESTED);
  const first = await report("sessions");
  expect(await report("sessions")).toEqual(first);
  expect(existsSync(at("store"))).toBe(false);
  writeClaudeSession(at("sessions/s.jsonl"), [...UNTESTED, ...UNTESTED]);
  expect((await report("sessions")).totals.blocked).toBe(2);
});

test("--since and --agent take part of the turns", async () => {
  writeClaudeSession(at("sessions/s.jsonl"), UNTESTED, { start: new Date("2026-11-10T00:00:00Z") });
  expect((await report("sessions")).totals.turns).toBe(1);
  expect((await report("sessions", "--since", "2026-11-12")).totals.turns).toBe(0);
  expect(await report("sessions", "--agent", "gemini")).toMatchObject({
    files: { otherAgents: 1 },
    totals: { turns: 0 },
  });
  expect((await report("sessions", "--agent", "claude")).totals.turns).toBe(1);
});

test.for(["SIGINT", "SIGTERM"] as const)("%s ends a run with a word", async (signal) => {
  for (const name of ["a", "b", "c"]) writeClaudeSession(at(`sessions/${name}.jsonl`), UNTESTED);
  let stderr = "";
  const err = (text: string): void => {
    stderr += text;
    process.emit(signal);
  };
  const { exitCode, stdout } = await runCheckpoint(["replay", "sessions"], {
    cwd: folder,
    userHome: at("home"),
    home: at("store"),
    isProgressShown: true,
    err,
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: "" });
  expect(stderr).toContain("Interrupted after 1 of 3 files.\n");
});

test("--limit takes the files that were written last", async () => {
  for (const day of [1, 2, 3]) {
    const path = at(`sessions/${day}.jsonl`);
    writeClaudeSession(path, UNTESTED, { cwd: `/p${day}` });
    utimesSync(path, new Date(2026, 0, day), new Date(2026, 0, day));
  }
  const { projects } = await report("sessions", "--limit", "2");
  expect(new Set(projects.map(({ project }) => project))).toEqual(new Set(["/p2", "/p3"]));
});

test("--html writes a page that only its owner can read", async () => {
  writeClaudeSession(at("sessions/s.jsonl"), UNTESTED);
  const { stdout } = await run("sessions", "--html", "report.html");
  expect(stdout).toContain(`The report is in ${at("report.html")}`);
  expect(readFileSync(at("report.html"), "utf8")).toMatch(/^<!doctype html>/);
  expect(statSync(at("report.html")).mode & 0o077).toBe(0);
  expect(await run("sessions", "--html", "no/such/folder.html")).toMatchObject({ exitCode: 3, stdout: "" });
});

test.for([
  ["--since", "soon"],
  ["--limit", "0"],
  ["--limit", "-1"],
  ["--jobs", "x"],
  ["--agent", "cursor"],
])("%s %s is refused", async (args) => {
  expect(await run(...args)).toMatchObject({ exitCode: 2, stdout: "" });
});

test("the help has examples", async () => {
  const { exitCode, stdout } = await run("--help");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("checkpoint replay --since 30d");
});
