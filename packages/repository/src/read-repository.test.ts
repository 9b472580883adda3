import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readRepository } from "./read-repository.ts";
import { factsOf } from "./testing/facts-of.ts";

const scratch = mkdtempSync(join(tmpdir(), "checkpoint-facts-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A repository with these files, none of them tracked yet. */
function repositoryWith(files: readonly string[]): {
  readonly root: string;
  readonly git: (...args: string[]) => void;
} {
  const root = mkdtempSync(join(scratch, "repo-"));
  const git = (...args: string[]) => void execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init");
  for (const file of files) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), "");
  }
  return { root, git };
}

describe("which files are looked at", () => {
  test("those that git tracks", async () => {
    const { root, git } = repositoryWith(["a.go", "node_modules/a.js", "b.py"]);
    git("add", "a.go");
    expect((await readRepository(root)).languages).toEqual([{ language: "go", files: 1, share: 1 }]);
  });

  test("in a repository without a tracked file, those that it does not ignore", async () => {
    const { root } = repositoryWith(["a.go", "out/b.py"]);
    writeFileSync(join(root, ".gitignore"), "out/\n");
    expect((await readRepository(root)).languages).toEqual([{ language: "go", files: 1, share: 1 }]);
  });

  test("none outside of a repository", async () => {
    expect((await readRepository(mkdtempSync(join(scratch, "plain-")))).languages).toEqual([]);
  });

  test("no link is followed", async () => {
    const outside = join(scratch, "outside.json");
    writeFileSync(outside, '{ "scripts": { "test": "jest" } }');
    const { root } = repositoryWith(["a.js"]);
    symlinkSync(outside, join(root, "package.json"));
    expect((await readRepository(root, { tracked: ["a.js", "package.json"] })).commands).toEqual([]);
  });
});

test("the facts of a small repository", async () => {
  const { commands, ...facts } = await factsOf({
    "package.json": '{ "scripts": { "test": "vitest run", "lint": "eslint ." }, "dependencies": { "prisma": "6" } }',
    "pnpm-lock.yaml": "",
    "prisma/schema.prisma": "",
    "prisma/migrations/1/migration.sql": "",
    "compose.yaml": "",
    "src/a.ts": "",
    "src/a.test.ts": "",
    ".github/workflows/ci.yml": "jobs:\n  a:\n    steps:\n      - run: pnpm test\n        working-directory: ./\n",
  });
  expect(facts).toMatchObject({
    languages: [{ language: "javascript", files: 2, share: 1 }],
    projects: [{ folder: "", language: "javascript", manifest: "package.json", packageManager: "pnpm" }],
    testFiles: { javascript: 1 },
    testFolders: { javascript: ["src"] },
    migrations: [{ tool: "prisma", include: ["prisma/migrations/**"], command: "pnpm exec prisma migrate deploy" }],
    generators: [{ tool: "prisma", include: ["prisma/**/*.prisma"], command: "pnpm exec prisma generate" }],
    composeFiles: ["compose.yaml"],
    ciSteps: [{ command: "pnpm test", folder: "", source: ".github/workflows/ci.yml" }],
  });
  expect(commands.map(({ command, kind, source, isAssumed }) => ({ command, kind, source, isAssumed }))).toEqual([
    { command: "pnpm test", kind: "test", source: "package.json scripts.test", isAssumed: false },
    { command: "pnpm run lint", kind: "lint", source: "package.json scripts.lint", isAssumed: false },
  ]);
});

test("code of languages that are not known is counted by its ending", async () => {
  const { languages, unknownCode } = await factsOf({
    "src/a.f90": "",
    "src/b.f90": "",
    "src/c.adb": "",
    "README.md": "",
    "data.json": "",
    "vendor/d.f90": "",
  });
  expect({ languages, unknownCode }).toEqual({ languages: [], unknownCode: { f90: 2, adb: 1 } });
});

test("each crate is looked at for tests in its sources", async () => {
  const { testFolders, testFiles } = await factsOf({
    "Cargo.toml": '[workspace]\nmembers = ["crates/*"]',
    "crates/a/Cargo.toml": "",
    "crates/a/src/lib.rs": "",
    "crates/a/tests/all.rs": "",
    "crates/b/Cargo.toml": "",
    "crates/b/src/lib.rs": "mod c;\n",
    "crates/b/src/inner/c.rs": "#[cfg(test)]\nmod tests {}\n",
    "crates/d/Cargo.toml": "",
    "crates/d/src/lib.rs": "",
  });
  expect(testFolders).toEqual({ rust: ["crates/a/tests", "crates/b/src/inner"] });
  expect(testFiles).toEqual({ rust: 2 });
});

test("a file that is nested without end is passed over", async () => {
  const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const facts = await factsOf({
    "composer.json": `{ "scripts": { "test": ${nested} } }`,
    "azure-pipelines.yml": `a: ${nested}`,
    "Taskfile.yml": `tasks: ${"{a: ".repeat(5000)}${"}".repeat(5000)}`,
    "a.php": "",
  });
  expect(facts.languages).toEqual([{ language: "php", files: 1, share: 1 }]);
});

test("100,000 files are read in bounded time", async () => {
  const tracked = Array.from(
    { length: 100_000 },
    (_, index) => `packages/p${index % 500}/src/f${index}.${["ts", "py", "md", "go"][index % 4]}`,
  );
  const manifests = Array.from({ length: 500 }, (_, index) => `packages/p${index}/package.json`);
  const { root } = repositoryWith(["package.json"]);
  const before = process.cpuUsage();
  const { languages } = await readRepository(root, { tracked: [...tracked, ...manifests] });
  expect(languages.map(({ files }) => files)).toEqual([25_000, 25_000, 25_000]);
  const { user, system } = process.cpuUsage(before);
  // It takes less than half a second of the processor's time; the rest is for a machine that is busy.
  expect((user + system) / 1000).toBeLessThan(2000);
});
