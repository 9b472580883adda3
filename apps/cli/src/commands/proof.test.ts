import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@agent-checkpoint/store";
import { afterAll, expect, test } from "vitest";
import { runCheckpoint } from "../testing/run-checkpoint.ts";

const scratch = mkdtempSync(join(tmpdir(), "proof-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const TEST = 'import test from "node:test"; test("one", () => {});\n';
const RED = 'import test from "node:test"; test("one", () => { throw new Error("no"); });\n';

/** A repository with a changed file of JavaScript, one of Python, and a test. */
function stage(name: string, testText: string) {
  const cwd = join(scratch, name, "project");
  mkdirSync(join(cwd, "src"), { recursive: true });
  const write = (file: string, text: string) => writeFileSync(join(cwd, file), text);
  write("src/a.mjs", "old");
  write("src/a.test.mjs", testText);
  execFileSync("git", ["init", "-q"], { cwd });
  execFileSync("git", ["add", "."], { cwd });
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "one"], { cwd });
  write("src/a.mjs", "export const a = 1;\n");
  write("src/b.py", "b = 1\n");
  return { cwd, userHome: join(scratch, name), home: join(scratch, name, "home"), env: process.env };
}

const cases = [
  { run: "green tests", command: ["node", "--test"], test: TEST, exitCode: 0, proven: ["src/a.mjs"] },
  { run: "red tests", command: ["node", "--test"], test: RED, exitCode: 1, proven: [] },
  { run: "something else", command: ["node", "-e", "0"], test: TEST, exitCode: 0, proven: [] },
  {
    run: "tests that end in another exit code",
    command: ["sh", "-c", "node --test; exit 7"],
    test: RED,
    exitCode: 7,
    proven: [],
  },
  {
    run: "tests that change the file",
    command: ["sh", "-c", "echo >> src/a.mjs; node --test"],
    test: TEST,
    exitCode: 0,
    proven: [],
  },
];

test.for(cases)("$run prove $proven", async ({ run, command, test: text, exitCode, proven }) => {
  const given = stage(run.replaceAll(" ", "-"), text);
  const ended = await runCheckpoint(["proof", "--", ...command], given);
  expect(ended).toMatchObject({ exitCode, stderr: expect.stringContaining("checkpoint: `") });
  const opened = await openStore(given.home);
  const proofs = opened.ok ? await opened.store.proofs.list(given.cwd) : null;
  if (opened.ok) await opened.store.close();
  expect(proofs?.map(({ file, settled }) => ({ file, settled }))).toEqual(
    proven.map((file) => ({ file, settled: "proven" })),
  );
});

test("--json prints one value, and the command's words beside it", async () => {
  const { stdout, stderr } = await runCheckpoint(["proof", "--json", "--", "node", "--test"], stage("json", TEST));
  expect(JSON.parse(stdout)).toEqual({ exitCode: 0, proven: ["src/a.mjs"], changedFiles: ["src/a.mjs", "src/b.py"] });
  expect(stderr).toContain("pass 1");
});

test("a command that cannot be started proves nothing", async () => {
  const ended = await runCheckpoint(["proof", "--", "no-such-program"], stage("absent", TEST));
  expect(ended).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("cannot be started") });
});
