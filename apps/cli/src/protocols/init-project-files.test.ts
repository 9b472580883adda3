import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Environment } from "../environment.ts";
import { type CliRun, runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";

const SCHEMA = ".claude/protocols/checkpoint-schema.md";
const HANDOFF = ".claude/sub-agents/protocols/handoff.md";
const INTEGRATIONS = ".claude/config/integrations.json";

let folder = "";
let root = "";
beforeEach(() => {
  folder = scratchFolder();
  root = join(folder, "project");
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, "src"));
});

function init(words: string, given: Partial<Environment> = {}): Promise<CliRun> {
  const place = { cwd: join(root, "src"), userHome: folder, home: join(folder, "home") };
  return runCheckpoint(["init", ...words.split(" ")], { ...place, ...given });
}
const statuses = ({ stdout }: CliRun): unknown[] =>
  JSON.parse(stdout).files.map(
    ({ file, status }: { file: string; status: string }) => `${file.slice(root.length + 1)} ${status}`,
  );
const write = (name: string, text: string) => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
};

test("writes the documents and the config into the project, once, and nothing else", async () => {
  const first = await init("--protocols --integrations --json");
  expect(first).toMatchObject({ exitCode: 0, stderr: "" });
  expect(statuses(first)).toEqual([`${SCHEMA} written`, `${HANDOFF} written`, `${INTEGRATIONS} written`]);
  expect(statuses(await init("--protocols --integrations --json"))).toEqual([
    `${SCHEMA} unchanged`,
    `${HANDOFF} unchanged`,
    `${INTEGRATIONS} unchanged`,
  ]);
  expect(readdirSync(root).toSorted()).toEqual([".claude", ".git", "src"]);
  expect(readdirSync(folder)).toEqual(["project"]);
});

test("writes only what is asked for", async () => {
  expect(statuses(await init("--integrations --json"))).toEqual([`${INTEGRATIONS} written`]);
  expect(existsSync(join(root, SCHEMA))).toBe(false);
});

test("adds to a document that is there", async () => {
  write(HANDOFF, "# Ours\n\n## Context Summary Guidelines\n\nBe brief.\n");
  expect((await init("--protocols")).stdout).toMatch(/handoff\.md was added\n? *to\./);
  expect(readFileSync(join(root, HANDOFF), "utf8")).toMatch(
    /^# Ours\n\n## Context Summary Guidelines\n\nBe brief\.\n\n<!-- /,
  );
});

test("a dry run shows every line and writes none", async () => {
  const { exitCode, stdout } = await init("--protocols --integrations --dry-run");
  expect(exitCode).toBe(0);
  expect(stdout).toContain('+    "team": "Basecamp",');
  expect(stdout).toContain("This was a dry run: nothing was written.");
  expect(existsSync(join(root, ".claude"))).toBe(false);
});

test("asks a person first, and takes no for an answer", async () => {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return "n";
  };
  expect(await init("--integrations", { ask })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("not confirmed"),
  });
  expect(questions).toEqual([expect.stringContaining("integrations.json  (new)")]);
  expect(existsSync(join(root, ".claude"))).toBe(false);
  expect(await init("--integrations --yes", { ask })).toMatchObject({ exitCode: 0 });
  expect(questions).toHaveLength(1);
});

test("a config that cannot be used is left as it is, and told of", async () => {
  write(INTEGRATIONS, `{ "linear": { "token": "x" } }`);
  const { exitCode, stdout } = await init("--integrations");
  expect({ exitCode, says: stdout.includes("`linear.token`: tokens and clients") }).toEqual({
    exitCode: 1,
    says: true,
  });
  expect(readFileSync(join(root, INTEGRATIONS), "utf8")).toBe(`{ "linear": { "token": "x" } }`);
});

test("nothing is written behind a link that leads out of the project", async () => {
  const outside = join(folder, "outside");
  mkdirSync(outside);
  symlinkSync(outside, join(root, ".claude"));
  const run = await init("--protocols --integrations --json");
  expect(run.exitCode).toBe(1);
  expect(statuses(run)).toEqual([`${SCHEMA} refused`, `${HANDOFF} refused`, `${INTEGRATIONS} refused`]);
  expect(readdirSync(outside)).toEqual([]);
});

test("the top of the file system is no project", async () => {
  expect(await init("--integrations", { cwd: "/" })).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("is not a project"),
  });
});
