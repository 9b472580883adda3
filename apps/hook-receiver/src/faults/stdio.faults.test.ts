import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { describe, test, vi } from "vitest";
import { HOOK, IS_BINARY_TESTED, reasonOf } from "../testing/hook-process.ts";
import { logLines } from "../testing/log-lines.ts";
import { measurePeakMemory } from "../testing/peak-memory.ts";
import { scratchFolder } from "../testing/scratch.ts";
import { ROW_BEFORE, ROW_NOW, SILENCE, stageFault, type StagedFault, storedStops } from "../testing/stage-fault.ts";

// Faults that are waited for, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const NOW = { CHECKPOINT_NOW: "2026-03-02T09:04:00Z" };
const ANSWERED_WITHIN_MS = 15_000;
const MAX_MEGABYTES = 600;
const NO_OBJECT = /stdin held no JSON object/;

/** Starts the program with a stdin of the test's own. */
function startHook({ env }: Pick<StagedFault, "env">, more: Readonly<Record<string, string>> = {}) {
  const [program, ...args] = HOOK;
  return execa(program, [...args, "--agent", "claude"], {
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "", ...env, ...NOW, ...more },
    extendEnv: false,
    reject: false,
    stdin: "pipe",
    stripFinalNewline: false,
    timeout: 45_000,
    killSignal: "SIGKILL",
  });
}

describe("stdin that is never closed", () => {
  const cases = [
    { title: "says nothing: given up after 20 seconds", pieces: [], everyMs: 0, log: [NO_OBJECT], within: 26_000 },
    {
      title: "says half an event: given up after a second and a half of silence",
      pieces: ['{"hook_event_name":"Stop","session_id":'],
      everyMs: 0,
      log: [NO_OBJECT],
      within: 10_000,
    },
    {
      title: "says an event a byte at a time: answered when it is whole",
      pieces: '{"hook_event_name":"SessionStart"}'.split(""),
      everyMs: 100,
      log: [],
      within: 12_000,
    },
    {
      title: "says a byte now and then for ever: given up after 30 seconds",
      pieces: ["{", ...Array.from({ length: 400 }, () => " ")],
      everyMs: 100,
      log: [/failed-open.*no answer within 30000 ms/],
      within: 36_000,
    },
  ];
  test.concurrent.for(cases)("$title", async ({ pieces, everyMs, log, within }, { expect: expectHere }) => {
    const staged = await stageFault();
    const start = performance.now();
    const child = startHook(staged);
    child.stdin.on("error", () => {});
    let isOver = false;
    void child.then(() => (isOver = true));
    for (const piece of pieces) {
      if (isOver) break;
      child.stdin.write(piece);
      if (everyMs > 0) await sleep(everyMs);
    }
    expectHere(await child).toMatchObject(SILENCE);
    expectHere(performance.now() - start).toBeLessThan(within);
    expectHere(logLines(staged.home)).toEqual(log.map((line) => expectHere.stringMatching(line)));
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE]);
  });

  test.concurrent("says a whole stop: it is judged at once", async ({ expect: expectHere }) => {
    const staged = await stageFault();
    const child = startHook(staged);
    child.stdin.write(JSON.stringify(staged.event()));
    const { stdout, stderr, exitCode = -1 } = await child;
    expectHere({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expectHere(reasonOf({ stdout })).toContain("make restart");
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
  });
});

test.concurrent("SIGTERM while stdin says nothing: ends at once, with exit code 0", async ({ expect: expectHere }) => {
  const child = startHook(await stageFault());
  await sleep(1000);
  const start = performance.now();
  child.kill("SIGTERM");
  expectHere(await child).toMatchObject(SILENCE);
  expectHere(performance.now() - start).toBeLessThan(10_000);
});

test.concurrent("SIGTERM while git is waited for: ends at once", async ({ expect: expectHere }) => {
  const staged = await stageFault();
  const [bin, started] = [scratchFolder(), join(scratchFolder(), "started")];
  writeFileSync(join(bin, "git"), `#!/bin/sh\ntouch "${started}"\nexec sleep 4\n`, { mode: 0o755 });
  const child = startHook(staged, { PATH: `${bin}:/usr/bin:/bin` });
  child.stdin.end(JSON.stringify(staged.event()));
  await expectHere.poll(() => existsSync(started), { timeout: 20_000 }).toBe(true);
  const start = performance.now();
  child.kill("SIGTERM");
  const { stdout, stderr, signal } = await child;
  expectHere({ stdout, stderr, signal }).toEqual({ stdout: "", stderr: "", signal: "SIGTERM" });
  expectHere(performance.now() - start).toBeLessThan(2500);
  expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE]);
});

/** Runs the program in a shell: `$0 "$@"` is the program, `$EVENT` a file with the event. */
function runInShell(script: string, { env }: StagedFault, event: string, more: Readonly<Record<string, string>> = {}) {
  const file = join(scratchFolder(), "event.json");
  writeFileSync(file, event);
  // What has no end would fill the memory of the machine if it was not given up.
  return execa("sh", ["-c", `ulimit -v 12000000; ${script}`, ...HOOK, "--agent", "claude"], {
    cwd: "/",
    env: { ...env, ...NOW, EVENT: file, ...more },
    reject: false,
    stripFinalNewline: false,
  });
}

describe("stdin that is no event: passes, with one line in the log", () => {
  const cases = [
    { title: "closed from the start", script: '"$0" "$@" <&-' },
    { title: "nothing", script: '"$0" "$@" < /dev/null' },
    { title: "a folder", script: '"$0" "$@" < /' },
    { title: "noise", script: 'head -c 1000000 /dev/urandom | "$0" "$@"' },
    { title: "zero bytes without end", script: '"$0" "$@" < /dev/zero' },
    { title: "words without end", script: 'yes | "$0" "$@"' },
  ];
  test.concurrent.for(cases)("$title", async ({ script }, { expect: expectHere }) => {
    const staged = await stageFault();
    const memory = measurePeakMemory();
    const start = performance.now();
    const answer = await runInShell(script, staged, "", memory.env);
    expectHere(answer).toMatchObject(SILENCE);
    expectHere(performance.now() - start).toBeLessThan(ANSWERED_WITHIN_MS);
    expectHere(logLines(staged.home)).toEqual([expectHere.stringMatching(/stdin/)]);
    expectHere(memory.megabytes()).toBeLessThan(MAX_MEGABYTES);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE]);
  });
});

describe("an event of 100 MB is answered in time: judged, or passed with one line in the log", () => {
  const paddings = [
    { of: "one string", padding: () => JSON.stringify("x".repeat(100_000_000)) },
    { of: "small objects", padding: () => `[${"{},".repeat(33_000_000)}{}]` },
  ];
  test.for(paddings)("$of", async ({ padding }, { expect: expectHere }) => {
    const staged = await stageFault();
    const event = `${JSON.stringify(staged.event()).slice(0, -1)},"padding":${padding()}}`;
    const start = performance.now();
    const { stdout, stderr, exitCode } = await runInShell('cat "$EVENT" | "$0" "$@"', staged, event);
    expectHere(performance.now() - start).toBeLessThan(ANSWERED_WITHIN_MS);
    expectHere({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expectHere(logLines(staged.home)).toHaveLength(stdout === "" ? 1 : 0);
    expectHere(storedStops(staged.database)).toEqual(stdout === "" ? [ROW_BEFORE] : [ROW_BEFORE, ROW_NOW]);
  });
});

describe("stdout that does not take the answer: exit code 0, one line in the log, and the turn's block is spent", () => {
  const cases = [
    { title: "a full device", script: '"$0" "$@" < "$EVENT" > /dev/full', log: /failed-open.*ENOSPC/ },
    {
      title: "a reader that is gone",
      script:
        '{ sleep 0.3; "$0" "$@" < "$EVENT"; echo $? > "$EVENT.code"; } | true; while ! read -r code < "$EVENT.code"; do sleep 0.1; done 2> /dev/null; exit "$code"',
      log: /failed-open.*EPIPE/,
    },
  ];
  test.concurrent.for(cases)("$title", async ({ script, log }, { expect: expectHere }) => {
    const staged = await stageFault();
    expectHere(await runInShell(script, staged, JSON.stringify(staged.event()))).toMatchObject(SILENCE);
    expectHere(logLines(staged.home)).toEqual([expectHere.stringMatching(log)]);
    expectHere(await staged.stop()).toEqual(SILENCE);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW, "now: pass already-blocked"]);
  });

  test.concurrent("closed from the start, like stderr: nothing is written elsewhere", async ({
    expect: expectHere,
  }) => {
    const staged = await stageFault();
    const answer = await runInShell('"$0" "$@" < "$EVENT" >&- 2>&-', staged, JSON.stringify(staged.event()));
    expectHere(answer).toMatchObject(SILENCE);
    expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
  });
});

test.concurrent("a folder to work in that is gone: the stop is judged", async ({ expect: expectHere }) => {
  const staged = await stageFault();
  // The registered command of the executable leaves such a folder, since its runtime does not start there.
  const leave = IS_BINARY_TESTED ? "cd /;" : "";
  const under = ["sh", "-c", `cd "$0"; rmdir "$0"; ${leave} exec "$@"`, scratchFolder()];
  expectHere(reasonOf(await staged.stop({ under }))).toContain("make restart");
  expectHere(storedStops(staged.database)).toEqual([ROW_BEFORE, ROW_NOW]);
});
