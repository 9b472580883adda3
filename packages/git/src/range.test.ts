import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readRange, writeNote } from "./range.ts";

const scratch = mkdtempSync(join(tmpdir(), "range-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const IDENTITY = ["-c", "user.name=Dev", "-c", "user.email=dev@example.com", "-c", "commit.gpgsign=false"];
const git = (...args: string[]) =>
  execFileSync("git", [...IDENTITY, ...args], { cwd: scratch, encoding: "utf8" }).trim();
const commit = (message: string, files: Readonly<Record<string, string | null>>) => {
  for (const [file, text] of Object.entries(files))
    if (text === null) rmSync(join(scratch, file));
    else writeFileSync(join(scratch, file), text);
  git("add", "--all");
  git("commit", "--quiet", "--message", message);
  return git("rev-parse", "HEAD");
};
const blob = (text: string) =>
  execFileSync("git", ["hash-object", "--stdin"], { cwd: scratch, input: text, encoding: "utf8" }).trim();

git("init", "--quiet", "--initial-branch=main");
const first = commit("first", { "a.ts": "1", "b.ts": "1", "naïve name\n.ts": "1" });
git("checkout", "--quiet", "-b", "feature");
const second = commit("second: with words", { "a.ts": "2", "b.ts": null });
git("checkout", "--quiet", "main");
commit("on main", { "c.ts": "of somebody else" });
git("checkout", "--quiet", "feature");
git("merge", "--quiet", "--no-edit", "main");
const merge = git("rev-parse", "HEAD");
const last = commit("last", { "a.ts": "3" });

const read = async (text: string) => {
  const reading = await readRange(scratch, text);
  return reading.ok ? reading.range : reading;
};

test("a range has its commits, the first one first, and what it changed as a whole, without what was merged", async () => {
  const range = await read("main..");
  expect(range).toMatchObject({
    head: last,
    base: { id: git("rev-parse", "main") },
    commits: [
      {
        id: second,
        subject: "second: with words",
        files: [
          { file: "a.ts", blob: blob("2") },
          { file: "b.ts", blob: null },
        ],
      },
      { id: merge, files: [] },
      { id: last, files: [{ file: "a.ts", blob: blob("3") }] },
    ],
    files: [
      { file: "a.ts", blob: blob("3") },
      { file: "b.ts", blob: null },
    ],
  });
  expect(await read("main...feature")).toEqual(range);
});

test("one commit is compared with its parent, the first with nothing", async () => {
  expect(await read("HEAD")).toMatchObject({ base: { id: merge }, commits: [{ id: last }], files: [{ file: "a.ts" }] });
  expect(await read(first)).toMatchObject({
    base: null,
    files: [{ file: "a.ts" }, { file: "b.ts" }, { file: "naïve name\n.ts", blob: blob("1") }],
  });
});

test.for(["no-such", "--all", "main..no-such", "no-such.."])("%j is no range", async (text) => {
  expect(await read(text)).toMatchObject({ ok: false, reason: "no-such-commit" });
});

test("a note takes the place of the one before, under its own ref", async () => {
  const note = (text: string) => writeNote(scratch, { ref: "refs/notes/x", commit: last, text });
  git("config", "user.name", "Dev");
  git("config", "user.email", "dev@example.com");
  expect([(await note("one\n")).ok, (await note("two\n")).ok]).toEqual([true, true]);
  expect(git("notes", "--ref=x", "show", last)).toBe("two");
  expect(git("for-each-ref", "--format=%(refname)", "refs/notes")).toBe("refs/notes/x");
});
