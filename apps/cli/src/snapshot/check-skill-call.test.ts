import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCheckpoint } from "../testing/run-checkpoint.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { checkSkillCall } from "./check-skill-call.ts";

const AUDIT = ".audit/checkpoint-operations.log";

/** A repository with a file, and the hook of a skill in it. */
function stage(env: Readonly<Record<string, string>> = {}) {
  const folder = scratchFolder();
  const root = join(folder, "work");
  execFileSync("git", ["init", "--quiet", root]);
  writeFileSync(join(root, "a.txt"), "one\n");
  const place = {
    cwd: root,
    userHome: join(folder, "user"),
    home: join(folder, "home"),
    env: { ...env, PATH: "/nowhere" },
  };
  const call = async (payload: object): Promise<unknown> => {
    let said = "";
    const context = { ...place, now: () => new Date("2031-01-31T12:00:00Z"), out: (text: string) => (said += text) };
    await checkSkillCall("checkpoint", JSON.stringify({ cwd: root, session_id: "s", ...payload }), context as never);
    return said === "" ? null : (JSON.parse(said) as { hookSpecificOutput: unknown }).hookSpecificOutput;
  };
  return {
    root,
    call,
    before: (command: string) => call({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } }),
    run: (...args: string[]) => runCheckpoint(["snapshot", ...args], place),
    audit: () => readFileSync(join(root, AUDIT), "utf8").trim().split("\n"),
  };
}

const decided = (permissionDecision: string, reason: string) => ({
  hookEventName: "PreToolUse",
  permissionDecision,
  permissionDecisionReason: expect.stringContaining(reason),
});

test.for([
  ["checkpoint snapshot create a.txt --reason 'before it changes'", null],
  ["checkpoint snapshot create . --reason x --type git_stash --expiry 7d && ls", null],
  ["ls; git status; git stash list; cat a.txt", null],
  ["checkpoint snapshot create a.txt", decided("deny", "add `--reason`")],
  ["checkpoint snapshot create a.txt --reason '  '", decided("deny", "add `--reason`")],
  ["checkpoint snapshot create --reason x", decided("deny", "The scope is empty")],
  ["checkpoint snapshot create ../other --reason x", decided("deny", "climbs with `..`")],
  ["cd . && checkpoint snapshot create a.txt .env --reason x", decided("deny", "`.env` is an environment file")],
  ["checkpoint snapshot create a.txt --reason x --type database_savepoint", decided("deny", "cannot keep this scope")],
  ["checkpoint snapshot create a.txt --reason x --type stash", decided("deny", "Unknown snapshot type")],
  ["checkpoint snapshot create a.txt --reason x --expiry 1999-01-01", decided("deny", "expiry")],
  ["checkpoint snapshot restore latest", null],
  ["checkpoint snapshot restore latest --force", decided("ask", "--force")],
  ["git stash", decided("deny", "`git stash`")],
  ["git -C sub stash pop", decided("deny", "`git -C sub stash pop`")],
  ["git reset --hard", decided("deny", "`git reset --hard`")],
  ["git checkout -- a.txt", decided("deny", "`git checkout -- a.txt`")],
  ["git checkout main", null],
] as const)("before it runs: %s", async ([command, answer]) => {
  expect(await stage().before(command)).toEqual(answer);
});

test("every command and edit is in the audit, with its exit code and without secrets", async () => {
  const { run, call, audit } = stage();
  expect(await run("create", "a.txt", "--reason", "x")).toMatchObject({ exitCode: 0 });
  const after = (hook_event_name: string, more: object) => call({ hook_event_name, ...more });
  const command = {
    tool_name: "Bash",
    tool_input: { command: "curl -H 'Authorization: Bearer abcdef0123456789abcdef'" },
  };
  await after("PostToolUse", { tool_name: "Bash", tool_input: { command: "npm test" }, tool_response: {} });
  await after("PostToolUseFailure", { ...command, error: "Exit code 3\nout\nerr" });
  await after("PostToolUse", { tool_name: "Edit", tool_input: { file_path: "/p/a.txt" }, tool_response: {} });
  const lines = audit().slice(1);
  expect(lines).toEqual([
    "[CHECKPOINT] 2031-01-31T12:00:00Z | Skill: checkpoint | Command: npm test | Exit: 0",
    expect.stringMatching(/ \| Skill: checkpoint \| Command: curl .* \| Exit: 3$/),
    "[CHECKPOINT] 2031-01-31T12:00:00Z | Skill: checkpoint | Edited: /p/a.txt | Exit: 0",
  ]);
  expect(lines[1]).not.toContain("abcdef0123456789");
});

test("a project without snapshots gets no audit, and what is no event is passed over", async () => {
  const { call, audit } = stage();
  await call({ hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "ls" } });
  expect(await call({ hook_event_name: "Stop" })).toBeNull();
  expect(await call({ hook_event_name: 7 })).toBeNull();
  expect(audit).toThrow(/ENOENT/);
});

test("Qwen Code's tools are understood by the same hook", async () => {
  const event = { hook_event_name: "PreToolUse", tool_name: "run_shell_command", tool_input: { command: "git stash" } };
  expect(await stage({ QWEN_CODE_SESSION_ID: "s" }).call(event)).toEqual(decided("deny", "`git stash`"));
});
