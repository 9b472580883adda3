import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { runGit, runGitSync } from "./run-git.ts";

const root = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-run-git-"));
const path = process.env["PATH"];
afterEach(() => {
  process.env["PATH"] = path;
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Whether something else is done meanwhile or not, the answer is the same. */
const ways = [
  { way: "beside us", run: runGit },
  { way: "waited for", run: async (...call: Parameters<typeof runGitSync>) => runGitSync(...call) },
];

/** Runs a script in git's place. */
function runScript(run: typeof runGit, script: string, timeoutMs = 10_000) {
  const bin = mkdtempSync(join(root, "bin-"));
  writeFileSync(join(bin, "git"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, "git"), 0o755);
  process.env["PATH"] = `${bin}:/usr/bin:/bin`;
  return run([], { cwd: root, timeoutMs });
}

const timeout = { ok: false, reason: "timeout", detail: "no answer in 300 ms", exitCode: null };

const failures = [
  { git: "hangs", script: "exec sleep 20", timeoutMs: 300, result: timeout },
  { git: "hangs in a child that keeps the pipe", script: "sleep 20; true", timeoutMs: 300, result: timeout },
  { git: "is gone, but a child keeps the pipe", script: "sleep 20 & exit 0", timeoutMs: 300, result: timeout },
  {
    git: "answers without end",
    script: "exec cat /dev/zero",
    result: { ok: false, reason: "git-error", detail: "more than 64 MB of output", exitCode: null },
  },
  {
    git: "complains without end",
    script: "exec cat /dev/zero >&2",
    result: { ok: false, reason: "git-error", detail: "more than 64 MB of output", exitCode: null },
  },
  {
    git: "fails and says why",
    script: "echo 'fatal: why' >&2; exit 128",
    result: { ok: false, reason: "git-error", detail: "fatal: why", exitCode: 128 },
  },
  {
    git: "fails and says nothing",
    script: "exit 3",
    result: { ok: false, reason: "git-error", detail: "ended with 3", exitCode: 3 },
  },
  {
    git: "fails after half an answer",
    script: "echo src/a.ts; exit 3",
    result: { ok: false, reason: "git-error", detail: "ended with 3", exitCode: 3 },
  },
  {
    git: "is killed",
    script: "kill -KILL $$",
    result: { ok: false, reason: "git-error", detail: "ended with SIGKILL", exitCode: null },
  },
];
describe.for(ways)("$way", ({ run }) => {
  test.for(failures)("git $git", async ({ script, timeoutMs, result }) => {
    const start = performance.now();
    expect(await runScript(run, script, timeoutMs)).toEqual(result);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test("git answers in pieces", async () => {
    expect(await runScript(run, "printf a; sleep 0.2; printf b")).toEqual({ ok: true, stdout: Buffer.from("ab") });
  });
});
