import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readTrackedNames } from "./tracked-names.ts";

const scratch = mkdtempSync(join(tmpdir(), "checkpoint-tracked-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const FILES = ["a.ts", "b/c d.ts", "b/ü.ts", `long/${"x".repeat(200)}.ts`, "z/1234567", "z/12345678", "z/123456789"];

type Git = (...args: readonly string[]) => string;

function repository(options: readonly string[] = []): { readonly root: string; readonly git: Git } {
  const root = mkdtempSync(join(scratch, "repository-"));
  const env = { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const git: Git = (...args) => execFileSync("git", [...who, ...args], { cwd: root, env, encoding: "utf8" });
  git("init", "--quiet", ...options);
  for (const folder of ["b", "long", "z"]) mkdirSync(join(root, folder));
  for (const file of FILES) writeFileSync(join(root, file), file);
  return { root, git };
}

const forms: readonly {
  readonly form: string;
  readonly options?: readonly string[];
  readonly change: (git: Git) => unknown;
  readonly by: string;
}[] = [
  { form: "as git writes it", change: (git) => git("add", "."), by: "index" },
  { form: "with trees", change: (git) => (git("add", "."), git("commit", "-qm", "one")), by: "index" },
  { form: "with names to come", change: (git) => git("add", "--intent-to-add", "."), by: "index" },
  { form: "of version 4", change: (git) => (git("add", "."), git("update-index", "--index-version=4")), by: "git" },
  { form: "split", change: (git) => (git("add", "."), git("update-index", "--split-index")), by: "git" },
  { form: "with other ids", options: ["--object-format=sha256"], change: (git) => git("add", "."), by: "git" },
  { form: "none", change: () => undefined, by: "git" },
];

test.for(forms)("an index $form", ({ options, change, by }) => {
  const { root, git } = repository(options);
  change(git);
  const { digest, list } = readTrackedNames(root);
  expect(list()).toEqual(git("ls-files", "-z").split("\0").filter(Boolean));
  expect(digest).toMatch(new RegExp(`^${by}:`));
});

test("a work tree of its own, and a folder below the root", () => {
  const { root, git } = repository();
  git("add", ".");
  git("commit", "-qm", "one");
  git("worktree", "add", "-q", "other");
  expect(readTrackedNames(join(root, "other")).list()).toEqual(readTrackedNames(root).list());
  expect(readTrackedNames(join(root, "z")).list()).toEqual(["1234567", "12345678", "123456789"]);
});

test("the digest tells names apart, and not contents", () => {
  const { root, git } = repository();
  git("add", ".");
  const before = readTrackedNames(root).digest;
  writeFileSync(join(root, "a.ts"), "other");
  git("add", ".");
  expect(readTrackedNames(root).digest).toBe(before);
  git("mv", "a.ts", "d.ts");
  expect(readTrackedNames(root).digest).not.toBe(before);
});

test.for([0, 11, 40, 100, 300, 1000])("an index that is cut off after %d bytes is git's to judge", (length) => {
  const { root, git } = repository();
  git("add", ".");
  const index = join(root, ".git", "index");
  truncateSync(index, length);
  expect(readTrackedNames(root).digest).toMatch(/^git:/);
});
