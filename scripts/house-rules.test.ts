import { readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The sources of the packages and programs, without their tests. */
const SOURCES = execFileSync("git", ["ls-files", "-z", "--", "packages/*/src/**/*.ts", "apps/*/src/**/*.ts"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\0")
  .filter((path) => path !== "" && !path.endsWith(".test.ts") && !path.includes("/testing/"));

const rules = [
  {
    rule: "only `git` starts git",
    pattern: /\b(?:spawn|spawnSync|execFile|execFileSync|exec|execSync|execa|execaSync)\(\s*["'`]git\b/,
    owner: "packages/git/",
    exceptions: [
      // The doctor asks with the environment of the agent instead of its own.
      "apps/cli/src/doctor/",
    ],
  },
  {
    rule: "only `files` renames and locks",
    pattern: /\b(?:renameSync|rename|linkSync|link)\(|\bO_EXCL\b|["']wx["']/,
    owner: "packages/files/",
    exceptions: [
      // A database is published, rotated and set aside together with its side files, under SQLite's own lock.
      "packages/store/",
      // Whole folders are published by a rename, and restored files keep their identity.
      "packages/snapshots/",
    ],
  },
];
test.for(rules)("$rule", ({ pattern, owner, exceptions }) => {
  const offenders = SOURCES.filter(
    (path) => ![owner, ...exceptions].some((allowed) => path.startsWith(allowed)),
  ).filter((path) => pattern.test(readFileSync(`${ROOT}/${path}`, "utf8")));
  expect(offenders).toEqual([]);
});
