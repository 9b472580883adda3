import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { loadScenario } from "@agent-checkpoint/fixtures";
import { execa, execaSync } from "execa";
import { describe, expect, test } from "vitest";
import { callHook, HOOK, IS_BINARY_TESTED, PROGRAM, reasonOf } from "./testing/hook-process.ts";
import { oldNode } from "./testing/old-node.ts";
import { scratchFolder } from "./testing/scratch.ts";
import { stageScenario } from "./testing/stage-scenario.ts";

const SILENCE = { stdout: "", stderr: "", exitCode: 0 };
const daemon = loadScenario("daemon-change-not-restarted");
const generic = loadScenario("generic-tests-missing");

const logOf = (home: string) => readFileSync(join(home, "checkpoint.log"), "utf8").trimEnd().split("\n");

test
  .skipIf(IS_BINARY_TESTED)
  .concurrent(
    "a program without its other files: passes at once, also while stdin says nothing, with one line in the log",
    async ({ expect: expectHere }) => {
      const [folder, home] = [scratchFolder(), scratchFolder()];
      const alone = join(folder, "checkpoint-hook.cjs");
      copyFileSync(PROGRAM, alone);
      const options = { env: { CHECKPOINT_HOME: home }, reject: false, stdin: "pipe", timeout: 15_000 } as const;
      expectHere(await execa(process.execPath, [alone, "--agent", "claude"], options)).toMatchObject(SILENCE);
      expectHere(logOf(home)).toEqual([
        expectHere.stringMatching(
          /error could-not-start detail="Error: Cannot find module '\.\/checkpoint-hook-main\.cjs'/,
        ),
      ]);
    },
  );

test
  .skipIf(IS_BINARY_TESTED)
  .concurrent(
    "a program without its other files does not follow a link in the place of the log",
    async ({ expect: expectHere }) => {
      const [folder, home, elsewhere] = [scratchFolder(), scratchFolder(), scratchFolder()];
      const alone = join(folder, "checkpoint-hook.cjs");
      copyFileSync(PROGRAM, alone);
      symlinkSync(join(elsewhere, "target"), join(home, "checkpoint.log"));
      const options = { env: { CHECKPOINT_HOME: home }, reject: false, input: "{}" } as const;
      expectHere(await execa(process.execPath, [alone, "--agent", "claude"], options)).toMatchObject(SILENCE);
      expectHere(readdirSync(elsewhere)).toEqual([]);
    },
  );

describe.concurrent("what came on stdin", () => {
  const cases = [
    { title: "nothing", event: "", says: "stdin held no JSON object" },
    { title: "no JSON", event: "{ nonsense", says: "stdin held no JSON object" },
    { title: "half an object", event: '{"hook_event_name":"Stop","session_id":', says: "stdin held no JSON object" },
    { title: "a list", event: "[]", says: "stdin held no JSON object" },
    { title: "no event name", event: {}, says: "hook_event_name" },
    { title: "a number for a session", event: { hook_event_name: "Stop", session_id: 7 }, says: "session_id" },
    {
      title: "a word for the flag",
      event: { hook_event_name: "Stop", stop_hook_active: "no" },
      says: "stop_hook_active",
    },
    {
      title: "an object for the tasks",
      event: { hook_event_name: "Stop", background_tasks: {} },
      says: "background_tasks",
    },
    {
      title: "a folder of a million folders",
      event: { hook_event_name: "Stop", session_id: "s", cwd: "/a".repeat(1_000_000) },
      says: "projectPath: longer than any path or id",
    },
    {
      title: "a folder in a thousand folders",
      event: { hook_event_name: "Stop", session_id: "s", cwd: "/a".repeat(1000) },
      says: "projectPath: longer than any path or id",
    },
    {
      title: "an edit of a file with a name of 20 MB",
      event: {
        hook_event_name: "PreToolUse",
        cwd: "/",
        tool_name: "Edit",
        tool_input: { file_path: "f".repeat(20_000_000) },
      },
      says: "file: longer than any path or id",
    },
    {
      title: "a session id of 20 MB",
      event: { hook_event_name: "UserPromptSubmit", session_id: "s".repeat(20_000_000), cwd: "/", prompt: "x" },
      says: "sessionId: longer than any path or id",
    },
    {
      title: "a prompt id of 20 MB",
      event: { hook_event_name: "Stop", session_id: "s", prompt_id: "p".repeat(20_000_000), cwd: "/" },
      says: "promptId: longer than any path or id",
    },
  ];
  test.for(cases)("$title: passes, with one line in the log", async ({ event, says }, { expect: expectHere }) => {
    const home = scratchFolder();
    // A parent that is busy with other tests may feed a pipe too slowly.
    const file = join(scratchFolder(), "event.json");
    expectHere(await callHook({ agent: "claude", event, file, env: { CHECKPOINT_HOME: home } })).toEqual(SILENCE);
    expectHere(logOf(home)).toEqual([expectHere.stringContaining(says)]);
  });

  test("an unknown agent: passes, with one line in the log", async ({ expect: expectHere }) => {
    const home = scratchFolder();
    expectHere(await callHook({ agent: "emacs", event: {}, env: { CHECKPOINT_HOME: home } })).toEqual(SILENCE);
    expectHere(logOf(home)).toEqual([expectHere.stringContaining("--agent should be one of claude, gemini, codex")]);
  });

  test("a stdin that is never closed is not waited for once the event is whole", async ({ expect: expectHere }) => {
    const home = scratchFolder();
    const [program, ...args] = HOOK;
    const child = execa(program, [...args, "--agent", "claude"], {
      env: { CHECKPOINT_HOME: home },
      stdin: "pipe",
      timeout: 28_000,
    });
    child.stdin.write(JSON.stringify({ hook_event_name: "SessionStart" }));
    expectHere((await child).exitCode).toBe(0);
  });

  test("a stdin that never says anything is given up", { timeout: 30_000 }, async ({ expect: expectHere }) => {
    const home = scratchFolder();
    const [program, ...args] = HOOK;
    const child = execa(program, [...args, "--agent", "claude"], {
      env: { CHECKPOINT_HOME: home },
      stdin: "pipe",
      timeout: 28_000,
    });
    const { exitCode, stdout } = await child;
    expectHere({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expectHere(logOf(home)).toEqual([expectHere.stringContaining("stdin held no JSON object")]);
  });
});

test.concurrent(
  "synchronous work that does not end is ended from outside, with one line in the log",
  { timeout: 90_000 },
  async ({ expect: expectHere }) => {
    const [folder, home] = [scratchFolder(), scratchFolder()];
    const endless = join(folder, "endless.cjs");
    writeFileSync(
      endless,
      // It naps, so that the tests beside it have the processor.
      `const { hasOwn } = Object; const nap = new Int32Array(new SharedArrayBuffer(4));
       Object.hasOwn = (value, key) => { while (key === "cwd") Atomics.wait(nap, 0, 0, 50); return hasOwn(value, key); };`,
    );
    const event = { hook_event_name: "Stop", session_id: "s", cwd: "/", last_assistant_message: "x".repeat(2_000_000) };
    const preload = IS_BINARY_TESTED
      ? { BUN_OPTIONS: `--preload ${endless}` }
      : { NODE_OPTIONS: `--require ${endless}` };
    const file = join(folder, "event.json");
    const answer = await callHook({ agent: "claude", event, file, env: { CHECKPOINT_HOME: home, ...preload } });
    // A signal ended it.
    expectHere(answer).toEqual({ stdout: "", stderr: "", exitCode: undefined });
    expectHere(logOf(home)).toEqual([expectHere.stringContaining("no answer within 30000 ms")]);
  },
);

describe.concurrent("the store", () => {
  test("a home that cannot be made: passes", async ({ expect: expectHere }) => {
    const { stop, home } = await stageScenario(daemon, "claude");
    writeFileSync(home, "a file in the way");
    expectHere(await stop()).toEqual(SILENCE);
  });

  test("a folder in the database's place: passes, with one line in the log", async ({ expect: expectHere }) => {
    const { stop, home } = await stageScenario(daemon, "claude");
    mkdirSync(join(home, "checkpoint.db"), { recursive: true });
    expectHere(await stop()).toEqual(SILENCE);
    expectHere(logOf(home)).toHaveLength(1);
    expectHere(logOf(home)[0]).toContain("store ");
  });

  test("a corrupt database: passes, it is set aside, and the next stop is judged", async ({ expect: expectHere }) => {
    const { stop, home } = await stageScenario(daemon, "claude");
    mkdirSync(home);
    writeFileSync(join(home, "checkpoint.db"), "this is no database, but somebody may want it back ".repeat(100));
    expectHere(await stop()).toEqual(SILENCE);
    expectHere(logOf(home)).toEqual([expectHere.stringContaining("store corrupt")]);
    const aside = readdirSync(home).find((name) => name.startsWith("checkpoint.db.corrupt-")) ?? "";
    expectHere(readFileSync(join(home, aside), "utf8")).toContain("somebody may want it back");
    expectHere(reasonOf(await stop({}, 60))).toContain("make restart");
  });

  test("a locked database: passes, with one line in the log", async ({ expect: expectHere }) => {
    const { prompt, stop, home } = await stageScenario(daemon, "claude");
    await prompt();
    const require = createRequire(import.meta.url);
    const script = `const db = require(${JSON.stringify(require.resolve("better-sqlite3"))})(process.argv[1]); db.exec("BEGIN EXCLUSIVE"); console.log("held"); setTimeout(() => {}, 30000)`;
    const holder = execa(process.execPath, ["-e", script, join(home, "checkpoint.db")], { reject: false });
    await new Promise((resolve) => holder.stdout.once("data", resolve));
    expectHere(await stop()).toEqual(SILENCE);
    expectHere(logOf(home)).toEqual([expectHere.stringMatching(/locked/)]);
    holder.kill("SIGKILL");
    await holder;
  });

  test("no database yet is no fault: it is made and the stop is judged", async ({ expect: expectHere }) => {
    const { stop, home } = await stageScenario(daemon, "claude");
    expectHere(reasonOf(await stop())).toContain("make restart");
    expectHere(existsSync(join(home, "checkpoint.log"))).toBe(false);
  });
});

describe.concurrent("the transcript", () => {
  const broken = [
    { title: "is a folder", make: (path: string) => mkdirSync(path) },
    { title: "is empty", make: (path: string) => writeFileSync(path, "") },
    { title: "is a pipe that nobody fills", make: (path: string) => execaSync("mkfifo", [path]) },
  ];
  test.for(broken)(
    "$title: the file-based message, with one line in the log",
    async ({ make }, { expect: expectHere }) => {
      const { prompt, stop, home, project } = await stageScenario({ ...daemon, turn: null }, "claude");
      await prompt();
      make(join(project, "..", "session.jsonl"));
      const reason = reasonOf(await stop()) ?? "";
      expectHere(reason).toContain("1. Run `make restart` then `make status`");
      expectHere(reason).not.toContain("Observations");
      expectHere(logOf(home)).toEqual([expectHere.stringContaining("transcript ")]);
    },
  );

  test("is nobody's that we know: a clean pass, with one line in the log", async ({ expect: expectHere }) => {
    const { prompt, stop, home, project } = await stageScenario({ ...daemon, turn: null }, "claude");
    await prompt();
    writeFileSync(join(project, "..", "session.jsonl"), "Dear diary,\n");
    expectHere(await stop()).toMatchObject({ exitCode: 0, stdout: "" });
    expectHere(logOf(home)).toHaveLength(1);
  });
});

describe.concurrent("git", () => {
  /** A PATH on which git is what the script says. */
  const withGit = (script: string | null) => {
    const bin = scratchFolder();
    if (script !== null) {
      writeFileSync(join(bin, "git"), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, "git"), 0o755);
    }
    return script === null ? bin : `${bin}:/usr/bin:/bin`;
  };
  const faults = [
    { title: "is missing", script: null, says: "no-git" },
    { title: "fails", script: "echo 'fatal: detected dubious ownership' >&2; exit 128", says: "dubious ownership" },
    { title: "hangs", script: "exec sleep 60", says: "timeout" },
  ];
  test.for(faults)(
    "$title: the generic message, with one line in the log",
    { timeout: 30_000 },
    async ({ script, says }, { expect: expectHere }) => {
      const { home, project, facts } = await stageScenario(daemon, "claude");
      const env = { CHECKPOINT_HOME: home, CLAUDE_PROJECT_DIR: project, PATH: withGit(script) };
      const event = {
        hook_event_name: "Stop",
        session_id: facts.sessionId,
        prompt_id: facts.promptId,
        transcript_path: join(project, "..", "session.jsonl"),
      };
      expectHere(reasonOf(await callHook({ agent: "claude", event, env }))).toMatch(
        /^agent-checkpoint: Continue or validate your work if needed\. /,
      );
      expectHere(logOf(home)).toEqual([expectHere.stringContaining(says)]);
    },
  );

  test("no repository under the generic preset: silent, logged", async ({ expect: expectHere }) => {
    const { prompt, stop, home } = await stageScenario({ ...generic, repository: false }, "claude");
    await prompt();
    expectHere(await stop()).toEqual(SILENCE);
    expectHere(logOf(home)).toEqual([expectHere.stringContaining("no-repository")]);
  });
});

describe("an old Node", () => {
  const older = oldNode();
  test.runIf(older !== null)("passes with nothing on stdout and one line in the log", async () => {
    const { home, project } = await stageScenario(daemon, "claude");
    const answer = await callHook({
      agent: "claude",
      event: {},
      env: { CHECKPOINT_HOME: home, CLAUDE_PROJECT_DIR: project },
      node: older ?? "",
    });
    expect(answer).toEqual(SILENCE);
    expect(logOf(home)).toEqual([expect.stringMatching(/node-too-old .*needs Node >=22\.15/)]);
  });
});
