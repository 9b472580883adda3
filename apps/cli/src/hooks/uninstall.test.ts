import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { stageHome } from "./testing/stage-home.ts";
import type { UninstallReport } from "./run-uninstall.ts";

const statusesOf = (stdout: string) =>
  (JSON.parse(stdout) as UninstallReport).agents.map(({ agent, status }) => `${agent}: ${status}`);

describe("after init and uninstall everything is as it was", () => {
  const files = [
    { title: "no file", text: null },
    { title: "an empty file", text: "" },
    { title: "an empty object", text: "{}" },
    { title: "an empty object on a line", text: "{}\n" },
    { title: "an empty object on two lines", text: "{\n}\n" },
    { title: "one line", text: `{"model":"x"}` },
    {
      title: "other hooks",
      text: `{\n    "hooks": {\n        "Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }]\n    }\n}\n`,
    },
  ];
  test.for(files)("$title", async ({ text }) => {
    const { run, write, files } = stageHome(["claude"]);
    if (text !== null) write(".claude/settings.json", text);
    const before = files();
    await run("init --no-config");
    expect(files()).not.toEqual(before);
    await run("uninstall");
    expect(files()).toEqual(before);
  });

  const withComments = [
    { title: "a comment", text: "{\n  // nothing yet\n}\n" },
    {
      title: "tabs, carriage returns and comments",
      text: `{\r\n\t"model": "x", // best\r\n\t"hooks": {\r\n\t\t"AfterAgent": [] // none\r\n\t}\r\n}\r\n`,
    },
  ];
  test.for(withComments)("of an agent that reads comments: $title", async ({ text }) => {
    const { run, write, files } = stageHome(["gemini"]);
    write(".gemini/settings.json", text);
    const before = files();
    await run("init --no-config");
    expect(files()).not.toEqual(before);
    await run("uninstall");
    expect(files()).toEqual(before);
  });

  test("also when init ran again in between with another path", async () => {
    const { run, read, write, files } = stageHome(["codex"]);
    await run("init --no-config");
    write(".codex/hooks.json", read(".codex/hooks.json").replaceAll("dist/checkpoint-hook", "old/checkpoint-hook"));
    await run("init --no-config");
    expect(Object.keys(files())).toHaveLength(2);
    await run("uninstall");
    expect(files()).toEqual({});
  });

  test("down to the folders of the user, if nothing else is in them", async () => {
    const { run, userHome } = stageHome();
    await run("init --no-config");
    await run("uninstall");
    expect([".claude", ".gemini", ".codex"].filter((name) => existsSync(join(userHome, name)))).toEqual([]);
  });

  test("in a project, down to the folder that init made", async () => {
    const { run, repository } = stageHome();
    await run("init --project --no-config");
    await run("uninstall --project");
    expect([".claude", ".gemini", ".codex"].filter((name) => existsSync(join(repository, name)))).toEqual([]);
  });
});

test("what was changed since stays, and so does the copy from before", async () => {
  const { run, read, write, files } = stageHome(["claude"]);
  write(".claude/settings.json", `{ "model": "x" }`);
  await run("init --no-config");
  const now = JSON.parse(read(".claude/settings.json")) as object;
  write(".claude/settings.json", JSON.stringify({ ...now, model: "y" }, null, 2));
  const { stdout } = await run("uninstall");
  expect(JSON.parse(read(".claude/settings.json"))).toEqual({ model: "y" });
  expect(Object.keys(files())).toHaveLength(2);
  expect(stdout).toContain("A copy from before is still there:");
});

test("only what was asked for is touched", async () => {
  const { run, files } = stageHome();
  await run("init --no-config");
  const { stdout } = await run("uninstall --agent gemini --json");
  expect(statusesOf(stdout)).toEqual(["gemini: removed"]);
  expect(Object.keys(files())).toEqual([".claude/settings.json", ".codex/hooks.json"]);
});

test("a dry run shows it, and takes out nothing", async () => {
  const { run, files } = stageHome(["claude"]);
  await run("init --no-config");
  const before = files();
  const { stdout } = await run("uninstall --dry-run");
  expect(stdout).toContain(
    "Hooks for UserPromptSubmit and Stop would be removed from ~/.claude/settings.json; the file holds nothing else, and would go too.",
  );
  expect(stdout).toContain("+++ /dev/null");
  expect(files()).toEqual(before);
});

test("a command of the person's own stays, and is named", async () => {
  const { run, write, read } = stageHome(["claude"]);
  const text = `{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "nice checkpoint-hook --agent claude" }] }] } }`;
  write(".claude/settings.json", text);
  const { stdout, exitCode } = await run("uninstall");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("Line 1 calls checkpoint-hook for Stop by a command of your own: left unchanged.");
  expect(read(".claude/settings.json")).toBe(text);
});

test("where there is nothing of ours, it says so", async () => {
  const { run, files } = stageHome();
  const { stdout, exitCode } = await run("uninstall");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("No hooks of ours in the settings of Claude Code, Gemini CLI, Codex");
  expect(files()).toEqual({});
});

test("a file that cannot be parsed is left alone", async () => {
  const { run, write, read } = stageHome(["claude"]);
  write(".claude/settings.json", `{ "hooks": `);
  const { exitCode, stdout } = await run("uninstall --json");
  expect(exitCode).toBe(1);
  expect(statusesOf(stdout).slice(0, 3)).toEqual(["claude: refused", "gemini: unchanged", "codex: unchanged"]);
  expect(read(".claude/settings.json")).toBe(`{ "hooks": `);
});

describe("an agent's shell call", () => {
  const env = { CLAUDECODE: "1" };

  test("may look at what would be removed, and removes nothing", async () => {
    const { run, files } = stageHome(["claude"]);
    await run("init --no-config");
    const before = files();
    expect(await run("uninstall --dry-run", { env })).toMatchObject({ exitCode: 0 });
    expect(await run("uninstall", { env })).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("only a person may remove the hooks"),
    });
    expect(files()).toEqual(before);
  });

  test("in a terminal is forced by a person who answers", async () => {
    const { run, files } = stageHome(["claude"]);
    await run("init --no-config");
    expect(await run("uninstall --force", { env, ask: async () => "uninstall\n" })).toMatchObject({ exitCode: 0 });
    expect(files()).toEqual({});
  });
});
