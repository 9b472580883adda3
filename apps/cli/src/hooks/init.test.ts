import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readRegistrations } from "@agent-checkpoint/agents";
import { AGENT_NAMES } from "@agent-checkpoint/transcript";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import type { ManagedPayloads } from "./managed-payloads.ts";
import type { InitReport } from "./run-init.ts";
import { STAMP, stageHome, stageProgram } from "./testing/stage-home.ts";

const SETTINGS = [".claude/settings.json", ".gemini/settings.json", ".codex/hooks.json"] as const;

const reportOf = (stdout: string) => JSON.parse(stdout) as InitReport;
const statusesOf = (stdout: string) => reportOf(stdout).agents.map(({ agent, status }) => `${agent}: ${status}`);

/** What a settings file registers: the events, and which of the hooks are ours. */
function hooksIn(text: string): readonly string[] {
  const result = readRegistrations(text);
  if (!result.ok) throw new Error("not parsed");
  return result.registrations.map(({ event, isOurs, command }) => `${event}: ${isOurs ? "ours" : command}`);
}

describe("a first run", () => {
  test("registers every agent that is there, and writes a config", async () => {
    const { run, read, files } = stageHome();
    const { exitCode, stdout, stderr } = await run("init --json");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(statusesOf(stdout)).toEqual(["claude: registered", "gemini: registered", "codex: registered"]);
    expect(SETTINGS.map((file) => hooksIn(read(file)))).toEqual([
      ["UserPromptSubmit: ours", "Stop: ours"],
      ["BeforeAgent: ours", "AfterAgent: ours"],
      ["UserPromptSubmit: ours", "Stop: ours"],
    ]);
    expect(Object.keys(files())).toEqual([...SETTINGS.toSorted(), "checkpoint.config.json"].toSorted());
  });

  test("registers the gate where the project's config asks for it", async () => {
    const { run, read, repository, userHome } = stageHome();
    writeFileSync(join(repository, "checkpoint.config.json"), JSON.stringify({ safety: { gate: true } }));
    const { exitCode } = await run("init --json");
    expect(exitCode).toBe(0);
    expect(SETTINGS.map((file) => hooksIn(read(file)))).toEqual([
      ["UserPromptSubmit: ours", "Stop: ours", "PreToolUse: ours"],
      ["BeforeAgent: ours", "AfterAgent: ours", "BeforeTool: ours"],
      ["UserPromptSubmit: ours", "Stop: ours", "PreToolUse: ours"],
    ]);
    expect(await run("uninstall")).toMatchObject({ exitCode: 0 });
    expect(SETTINGS.filter((file) => existsSync(join(userHome, file)) && hooksIn(read(file)).length > 0)).toEqual([]);
  });

  test("passes over an agent that is not there, unless it is named", async () => {
    const { run, files } = stageHome(["gemini"]);
    const { stdout } = await run("init --json --no-config");
    expect(reportOf(stdout)).toMatchObject({
      agents: [{ agent: "gemini" }],
      notFound: AGENT_NAMES.filter((name) => name !== "gemini"),
      config: null,
    });
    expect(Object.keys(files())).toEqual([".gemini/settings.json"]);
    await run("init --agent codex --no-config");
    expect(Object.keys(files())).toEqual([".codex/hooks.json", ".gemini/settings.json"]);
  });

  test("finds an agent by its program, and registers only what its version knows", async () => {
    const { run, userHome, read } = stageHome([]);
    const PATH = `${stageProgram(userHome, { program: "claude", version: "1.0.41 (Claude Code)" })}:/bin`;
    const { stdout } = await run("init --json", { env: { PATH } });
    expect(hooksIn(read(".claude/settings.json"))).toEqual(["Stop: ours"]);
    expect(reportOf(stdout).agents).toMatchObject([
      { version: "1.0.41", notes: [expect.stringContaining("UserPromptSubmit")] },
    ]);
  });

  test("leaves an agent alone that has no hooks yet", async () => {
    const { run, userHome, files } = stageHome([]);
    const PATH = `${stageProgram(userHome, { program: "codex", version: "codex-cli 0.45.0" })}:/bin`;
    const { stdout, exitCode } = await run("init --json --no-config", { env: { PATH } });
    expect({ exitCode, statuses: statusesOf(stdout) }).toEqual({ exitCode: 2, statuses: ["codex: too-old"] });
    expect(Object.keys(files())).toEqual(["programs/codex"]);
  });

  test("without any agent says how to go on", async () => {
    const { run } = stageHome([]);
    const { exitCode, stdout } = await run("init --no-config");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("checkpoint init --agent claude");
  });

  test("registers a command that runs, and passes what it does not know", async () => {
    const { run, read, userHome } = stageHome(["claude"]);
    await run("init --no-config");
    const result = readRegistrations(read(".claude/settings.json"));
    const commands = result.ok ? result.registrations.map(({ command }) => command ?? "exit 9") : [];
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const env = { CHECKPOINT_HOME: join(userHome, "store"), PATH: "/usr/bin:/bin" };
      const answer = await execa("sh", ["-c", command], { input: "{}", env, extendEnv: false, reject: false });
      expect(answer).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
    }
    expect(readFileSync(join(userHome, "store", "checkpoint.log"), "utf8")).toContain("hook_event_name");
  });

  test("says what is left to do", async () => {
    const { run, write } = stageHome();
    write(".codex/config.toml", "[features]\nhooks = false\n");
    write(".claude/settings.json", `{ "disableAllHooks": true }`);
    const { stdout } = await run("init");
    expect(stdout).toContain("In ~/.codex/config.toml: `hooks = false` stands under");
    expect(stdout).toContain('Start `codex` and trust them: choose "Review hooks" if it asks, else type /hooks.');
    expect(stdout).toContain("Gemini CLI has not been told yet whether to trust this folder");
    expect(stdout).toContain("In ~/.claude/settings.json: `disableAllHooks` is true");
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("To see whether the hooks fire, run: `checkpoint doctor`");
  });
});

describe("a second run", () => {
  test("changes nothing, and keeps no copy", async () => {
    const { run, files } = stageHome();
    await run("init");
    const before = files();
    const { stdout, exitCode } = await run("init --json");
    expect({ exitCode, statuses: statusesOf(stdout) }).toEqual({
      exitCode: 0,
      statuses: ["claude: unchanged", "gemini: unchanged", "codex: unchanged"],
    });
    expect(files()).toEqual(before);
  });

  test("sets right what names an installation that is gone", async () => {
    const { run, read, write } = stageHome(["claude"]);
    await run("init --no-config");
    const right = read(".claude/settings.json");
    write(
      ".claude/settings.json",
      right
        .replaceAll(/\[ -x \S+ \]/g, "[ -x /gone/checkpoint-hook ]")
        .replaceAll(/exec \S+/g, "exec /gone/checkpoint-hook"),
    );
    const { stdout } = await run("init --no-config");
    expect(read(".claude/settings.json")).toBe(right);
    expect(stdout).toContain("Hooks for UserPromptSubmit and Stop brought up to date in ~/.claude/settings.json.");
  });

  test("says that the other settings register them as well", async () => {
    const { run, repository } = stageHome(["claude"]);
    await run("init --project --no-config");
    const { stdout } = await run("init --json --no-config");
    const notes = reportOf(stdout).agents.flatMap((agent) => agent.notes);
    expect(notes).toEqual([expect.stringContaining(join(repository, ".claude", "settings.json"))]);
  });
});

describe("settings that are there", () => {
  const MINE = `{\r\n\t// mine\r\n\t"hooks": {\r\n\t\t"AfterAgent": [\r\n\t\t\t{ "hooks": [{ "type": "command", "command": "first" }] },\r\n\t\t\t{ "hooks": [{ "type": "command", "command": "second" }] } // loud\r\n\t\t]\r\n\t}\r\n}\r\n`;

  test("keep their hooks, in their order, before ours", async () => {
    const { run, write, read } = stageHome(["gemini"]);
    write(".gemini/settings.json", MINE);
    await run("init");
    expect(hooksIn(read(".gemini/settings.json"))).toEqual([
      "AfterAgent: first",
      "AfterAgent: second",
      "AfterAgent: ours",
      "BeforeAgent: ours",
    ]);
    expect(read(".gemini/settings.json")).toContain(`}, // loud\r\n`);
  });

  test("are kept as a copy beside them, with the same rights, and never over another copy", async () => {
    const { run, write, read, at } = stageHome(["gemini"]);
    write(".gemini/settings.json", MINE);
    chmodSync(at(".gemini/settings.json"), 0o600);
    const copy = `.gemini/settings.json.agent-checkpoint-backup-${STAMP}`;
    write(copy, "an older one");
    const { stdout } = await run("init --json");
    expect(reportOf(stdout).agents[0]?.backup).toBe(at(`${copy}-2`));
    expect(read(copy)).toBe("an older one");
    expect(read(`${copy}-2`)).toBe(MINE);
    expect([".gemini/settings.json", `${copy}-2`].map((path) => statSync(at(path)).mode & 0o777)).toEqual([
      0o600, 0o600,
    ]);
  });

  test("stay where a symbolic link leads", async () => {
    const { run, at, read } = stageHome(["claude"]);
    mkdirSync(at("dotfiles"));
    writeFileSync(at("dotfiles/claude.json"), `{ "model": "x" }\n`);
    symlinkSync("../dotfiles/claude.json", at(".claude/settings.json"));
    await run("init --no-config");
    expect(readlinkSync(at(".claude/settings.json"))).toBe("../dotfiles/claude.json");
    expect(hooksIn(read("dotfiles/claude.json"))).toEqual(["UserPromptSubmit: ours", "Stop: ours"]);
    await run("uninstall");
    expect(read("dotfiles/claude.json")).toBe(`{ "model": "x" }\n`);
    expect(lstatSync(at(".claude/settings.json")).isSymbolicLink()).toBe(true);
  });

  test("are made where a symbolic link leads to nothing", async () => {
    const { run, at, read } = stageHome(["claude"]);
    symlinkSync(at("dotfiles/claude.json"), at(".claude/settings.json"));
    await run("init --no-config");
    expect(hooksIn(read("dotfiles/claude.json"))).toHaveLength(2);
  });
});

describe("settings that the agent itself cannot read", () => {
  const unreadable = [
    {
      file: ".gemini/settings.json",
      text: "\uFEFF{}\n",
      problem: "line 1, column 1: expected JSON with comments, found a byte order mark.",
    },
    {
      file: ".claude/settings.json",
      text: `{\n  // mine\n  "model": "x"\n}\n`,
      problem: "line 2, column 3: expected plain JSON, found a comment.",
    },
    {
      file: ".claude/settings.json",
      text: `{\n  "model": "x",\n}\n`,
      problem: "line 2, column 15: expected plain JSON, found a trailing comma.",
    },
    {
      file: ".codex/hooks.json",
      text: `{ /* mine */ }\n`,
      problem: "line 1, column 3: expected plain JSON, found a comment.",
    },
    {
      file: ".gemini/settings.json",
      text: `{\n  // mine\n  "a": [1,]\n}\n`,
      problem: "line 3, column 10: expected JSON with comments, found a trailing comma.",
    },
  ];
  test.for(unreadable)("$file, $problem", async ({ file, text, problem }) => {
    const { run, write, read, files } = stageHome([file.slice(1, file.indexOf("/"))]);
    write(file, text);
    const refused = await run("init --json --no-config");
    expect(refused.exitCode).toBe(2);
    expect(reportOf(refused.stdout).agents).toMatchObject([
      { status: "refused", isMendable: true, problem, advice: expect.stringContaining("checkpoint init --mend") },
    ]);
    expect(files()).toEqual({ [file]: text });

    const mended = await run("init --mend --json --no-config");
    expect(mended.exitCode).toBe(0);
    expect(reportOf(mended.stdout).agents).toMatchObject([{ status: "registered", isMendable: false }]);
    expect(() => JSON.parse(read(file).replaceAll(/ *\/\/ mine\n/g, "")) as unknown).not.toThrow();
    expect(Object.values(files())).toContain(text);
  });

  test.for([
    { answers: ["y", "y"], status: "claude: unchanged", count: 2 },
    { answers: ["n", "y"], status: "claude: refused", count: 1 },
  ])("are mended if a person says so: $answers", async ({ answers, status, count }) => {
    const { run, write, files } = stageHome(["claude"]);
    write(".claude/settings.json", `{\n  // mine\n}\n`);
    const questions: string[] = [];
    const ask = (question: string) => {
      questions.push(question);
      return Promise.resolve(answers[questions.length - 1] ?? "");
    };
    await run("init --no-config", { ask });
    expect(questions[0]).toContain("(Claude Code), line 2, column 3: expected plain JSON, found a comment.");
    const { stdout } = await run("init --json --no-config --dry-run");
    expect(statusesOf(stdout)).toEqual([status]);
    expect(Object.keys(files())).toHaveLength(count);
  });
});

describe("what cannot be done is said, and nothing is harmed", () => {
  const broken = [
    {
      what: "a comma is missing",
      text: `{\n  "model": "x"\n  "hooks": {}\n}\n`,
      says: "line 3, column 3: expected a comma",
    },
    { what: "hooks are a list", text: `{ "hooks": [] }`, says: "expected `hooks` to be an object, found a list" },
    { what: "an event is a string", text: `{ "hooks": { "Stop": "x" } }`, says: "expected `hooks.Stop` to be a list" },
  ];
  test.for(broken)("$what", async ({ text, says }) => {
    const { run, write, files } = stageHome(["claude"]);
    write(".claude/settings.json", text);
    const { exitCode, stdout } = await run("init --json --no-config");
    expect(exitCode).toBe(2);
    expect(reportOf(stdout).agents).toMatchObject([{ status: "refused", problem: expect.stringContaining(says) }]);
    expect(files()).toEqual({ ".claude/settings.json": text });
  });

  test("the other agents are registered all the same", async () => {
    const { run, write, read } = stageHome(["claude", "gemini"]);
    write(".claude/settings.json", "{");
    const { exitCode, stdout } = await run("init");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("~/.claude/settings.json cannot be merged into, line 1, column 2");
    expect(hooksIn(read(".gemini/settings.json"))).toHaveLength(2);
  });

  const unusable = [
    { what: "a folder", make: (path: string) => mkdirSync(path), says: "it is a folder" },
    {
      what: "no text",
      make: (path: string) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d])),
      says: "it is not UTF-8 text",
    },
    {
      what: "a circle of links",
      make: (path: string) => symlinkSync(path, path),
      says: "its symbolic links lead in a circle",
    },
  ];
  test.for(unusable)("a settings file that is $what", async ({ make, says }) => {
    const { run, at } = stageHome(["claude"]);
    make(at(".claude/settings.json"));
    const { exitCode, stdout } = await run("init --json --no-config");
    expect(exitCode).toBe(3);
    expect(reportOf(stdout).agents).toMatchObject([{ status: "failed", problem: says }]);
  });

  test("a folder that nothing can be written to", async () => {
    const { run, read } = stageHome(["claude"]);
    const { exitCode, stdout } = await run("init --json --no-config --agent claude codex", {
      env: { CODEX_HOME: "/proc/self/fdinfo" },
    });
    expect(exitCode).toBe(3);
    expect(statusesOf(stdout)).toEqual(["claude: registered", "codex: failed"]);
    expect(hooksIn(read(".claude/settings.json"))).toHaveLength(2);
  });

  test("an agent that nobody knows", async () => {
    const { exitCode, stderr } = await stageHome().run("init --agent cursor");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Allowed choices are claude, gemini, codex");
  });
});

describe("the config of a repository", () => {
  /** A home whose repository has Elixir with tests, JavaScript with a script for them, and a linter. */
  function stageElixir() {
    const staged = stageHome(["claude"]);
    const files = {
      "mix.exs": "",
      "lib/a.ex": "",
      "lib/b.ex": "",
      "test/a_test.exs": "",
      "package.json": `{ "scripts": { "test": "jest", "lint": "eslint ." } }`,
      "assets/a.js": "",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(staged.repository, path, ".."), { recursive: true });
      writeFileSync(join(staged.repository, path), text);
    }
    execFileSync("git", ["init", "-q"], { cwd: staged.repository });
    return staged;
  }

  const said = [
    "on the preset `generic` (tracked code files: Elixir 4, JavaScript/TypeScript 1):",
    "tests: Elixir: `mix test`; JavaScript/TypeScript: `npm test`  mix.exs; package.json scripts.test\n",
    "Counted in shadow, and not asked for until you say so:\n      check-lint: npm run lint  package.json scripts.lint\n",
    "Without it, tests are required too; with it, the agent is given these commands.",
  ];

  test("is shown with where each command comes from, and what is different with it", async () => {
    const { stdout } = await stageElixir().run("init --dry-run");
    expect(said.filter((line) => !stdout.includes(line))).toEqual([]);
  });

  test("is shown before the question", async () => {
    const asked: string[] = [];
    const ask = (question: string) => Promise.resolve(asked.push(question) > 0 ? "no" : "");
    await stageElixir().run("init", { ask });
    expect(said.filter((line) => !asked.join("").includes(line))).toEqual([]);
  });

  test("is explained from the files to the commands, and nothing is written", async () => {
    const { run, files } = stageElixir();
    const before = files();
    const { stdout, exitCode } = await run("init --explain");
    expect(exitCode).toBe(0);
    expect(files()).toEqual(before);
    expect(stdout).toBe(
      [
        "What is tracked",
        "    Elixir 80 % (4 files, 1 of them tests), JavaScript/TypeScript 20 % (1 files, 0 of them tests)",
        "    Projects: package.json (npm), mix.exs (mix)",
        "    CI: no step that is known",
        "",
        "Tests of Elixir",
        "  + `mix test`  mix.exs",
        "",
        "Tests of JavaScript/TypeScript",
        "  + `npm test`  package.json scripts.test",
        "",
        "Beside the tests",
        "  + check-lint (shadow): `npm run lint`  package.json scripts.lint",
        "",
      ].join("\n"),
    );
  });

  test("says in plain words that there is nothing to test", async () => {
    const { run, repository } = stageHome(["claude"]);
    writeFileSync(join(repository, "README.md"), "");
    const { stdout } = await run("init --dry-run");
    expect(stdout).toContain("No code is tracked here: there is nothing to test, so tests are not asked for.");
  });
});

describe("a dry run", () => {
  test("shows every line, and writes none", async () => {
    const { run, write, files } = stageHome(["claude", "codex"]);
    write(".claude/settings.json", `{\n  "model": "x"\n}\n`);
    const before = files();
    const { exitCode, stdout } = await run("init --dry-run");
    expect(exitCode).toBe(0);
    expect(files()).toEqual(before);
    expect(stdout).toContain(`-  "model": "x"\n+  "model": "x",\n+  "hooks": {\n`);
    expect(stdout).toContain(`--- /dev/null\n+++ `);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("This was a dry run: nothing was written.");
  });

  test("lets nothing of a settings file act on the terminal", async () => {
    const { run, write } = stageHome(["claude"]);
    write(".claude/settings.json", `{\n  "model": "\u001B[2Jgone"\n}\n`);
    const { stdout } = await run("init --dry-run");
    expect(stdout).not.toContain("\u001B");
    expect(stdout).toContain(String.raw`\x1b[2Jgone`);
  });
});

describe("a project's settings", () => {
  test("name nothing of this machine, and are found from a folder deeper down", async () => {
    const { run, repository, userHome } = stageHome();
    const cwd = join(repository, "deep", "down");
    mkdirSync(cwd, { recursive: true });
    const { exitCode, stdout } = await run("init --project --json", { cwd });
    expect(exitCode).toBe(0);
    for (const file of SETTINGS) {
      const text = readFileSync(join(repository, file), "utf8");
      expect(hooksIn(text)).toHaveLength(2);
      expect(text).not.toContain(process.execPath);
      expect(text).not.toContain(userHome);
    }
    expect(reportOf(stdout).next.join(" ")).toContain("npm install --save-dev @agent-checkpoint/cli");
  });

  test("are of use only to those who have the package, and that is said to those who have it too", async () => {
    const { run, userHome } = stageHome();
    const program = join(userHome, "bin", "checkpoint-hook");
    mkdirSync(join(userHome, "bin"), { recursive: true });
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    const { stdout } = await run("init --project --no-config", { env: { PATH: join(userHome, "bin") } });
    expect(stdout).toContain("Everybody who works here needs the package too: without it the hooks stay silent.");
  });

  test("need a repository", async () => {
    const { run, userHome, files } = stageHome();
    const { exitCode, stderr } = await run("init --project", { cwd: userHome });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--project needs a repository");
    expect(files()).toEqual({});
  });
});

describe("a person at a terminal", () => {
  const answers = [
    { answer: "y", isWritten: true, exitCode: 0 },
    { answer: "n", isWritten: false, exitCode: 2 },
    // Also what comes when nobody answers.
    { answer: "", isWritten: false, exitCode: 2 },
  ];
  test.for(answers)("is asked first, and says '$answer'", async ({ answer, isWritten, exitCode }) => {
    const { run, at, userHome } = stageHome(["claude"]);
    const asked: string[] = [];
    const ask = (question: string) => {
      asked.push(question);
      return Promise.resolve(answer);
    };
    expect((await run("init", { ask })).exitCode).toBe(exitCode);
    expect(existsSync(at(".claude/settings.json"))).toBe(isWritten);
    expect(asked).toEqual([expect.stringContaining("~/.claude/settings.json  (new, hooks of Claude Code)")]);
    expect(asked[0]).not.toContain(userHome);
  });

  test.for(["init --yes", "init --dry-run", "init --json"])("is not asked by %s", async (args) => {
    const ask = () => Promise.reject(new Error("asked"));
    expect((await stageHome().run(args, { ask })).exitCode).toBe(0);
  });

  test("is not asked where there is nothing to write", async () => {
    const { run } = stageHome();
    await run("init");
    const ask = () => Promise.reject(new Error("asked"));
    expect((await run("init", { ask })).exitCode).toBe(0);
  });
});

test("many at once leave each hook registered once", async () => {
  const { userHome, repository, read, write, files } = stageHome(["claude"]);
  write(".claude/settings.json", `{ "model": "x" }\n`);
  const program = fileURLToPath(new URL("../../dist/checkpoint.mjs", import.meta.url));
  const env = { HOME: userHome, CHECKPOINT_HOME: join(userHome, "store"), PATH: "/usr/bin:/bin" };
  const runs = Array.from({ length: 4 }, () =>
    execa(process.execPath, [program, "init", "--no-config"], { cwd: repository, env, extendEnv: false }),
  );
  expect((await Promise.all(runs)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
  expect(hooksIn(read(".claude/settings.json"))).toEqual(["UserPromptSubmit: ours", "Stop: ours"]);
  const copies = Object.entries(files()).filter(([path]) => path.includes("backup"));
  expect(copies.map(([, text]) => text)).toEqual(copies.map(() => `{ "model": "x" }\n`));
  expect(Object.keys(files()).filter((path) => /agent-checkpoint-[0-9a-f]{12}$/.test(path))).toEqual([]);
});

describe("--managed", () => {
  test("prints a payload for every agent that has a channel, and writes nothing", async () => {
    const { run, files } = stageHome();
    const before = files();
    const { exitCode, stdout, stderr } = await run("init --managed --json --program /opt/checkpoint-hook");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const { program, payloads, without } = JSON.parse(stdout) as ManagedPayloads;
    expect([program, without]).toEqual(["/opt/checkpoint-hook", ["opencode", "pi"]]);
    expect(payloads.map(({ agent }) => agent)).toEqual(["claude", "gemini", "codex", "copilot", "qwen"]);
    expect(hooksIn(payloads[0]?.payload ?? "")).toEqual(["UserPromptSubmit: ours", "Stop: ours"]);
    expect(payloads.every(({ payload }) => payload.includes("[ -x /opt/checkpoint-hook ] || exit 0"))).toBe(true);
    expect(payloads[2]?.payload).toContain('managed_dir = "/opt"');
    expect(files()).toEqual(before);
  });

  test("never names a program of the project, which anybody may have put there", async () => {
    const { stdout } = await stageHome().run("init --managed");
    expect(stdout).not.toContain("node_modules/.bin");
    expect(stdout).toContain("# Nothing was written.");
    expect(stdout).toContain("# Linux: /etc/claude-code/managed-settings.d/agent-checkpoint.json");
  });

  test.for([
    "init --managed --program checkpoint-hook",
    "init --managed --project",
    "init --program /opt/checkpoint-hook",
  ])("%s is refused", async (args) => {
    expect((await stageHome().run(args)).exitCode).toBe(2);
  });
});
