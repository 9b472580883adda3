import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { AGENTS } from "../agents.ts";
import { testFolder, writeTestFile } from "../testing/test-folder.ts";
import { parseHookCommand, projectCommand, userCommand } from "./hook-command.ts";

const SHELLS = ["sh", "bash"] as const;
const SAYS_HELLO = "#!/usr/bin/env node\nprocess.stdout.write(`hello ${process.argv.slice(2).join(' ')}`);\n";
const ODD_NAMES = ["plain", "with spaces", `it's "quoted"`, "a$HOME`id`;b"];

/** Runs a command as an agent does, in an environment of its own. */
async function run(
  shell: string,
  command: string,
  { cwd = "/", env = {} }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
) {
  // Without SHLVL, bash takes itself for a login over the network and reads the person's .bashrc.
  const options = { cwd, env: { SHLVL: "1", ...env }, extendEnv: false, reject: false } as const;
  const { stdout, stderr, exitCode } = await execa(shell, ["-c", command], options);
  return { stdout, stderr, exitCode };
}

const SILENT = { stdout: "", stderr: "", exitCode: 0 };

describe.for(SHELLS)("a person's command in %s", (shell) => {
  test.for(ODD_NAMES)("runs the program in a folder called %s", async (name) => {
    const folder = join(testFolder(), name);
    const node = join(folder, "node");
    const program = writeTestFile(join(folder, "checkpoint-hook.cjs"), SAYS_HELLO);
    symlinkSync(process.execPath, node);
    const command = userCommand({ node, program }, "--agent claude");
    expect(await run(shell, command)).toEqual({ ...SILENT, stdout: "hello --agent claude" });
  });

  test.for(ODD_NAMES)("passes without a word where the program in %s is missing", async (name) => {
    const program = join(testFolder(), name, "checkpoint-hook.cjs");
    expect(await run(shell, userCommand({ node: process.execPath, program }, "--agent gemini"))).toEqual(SILENT);
  });

  test.for(ODD_NAMES)("passes without a word where the node in %s is missing", async (name) => {
    const folder = testFolder();
    const program = writeTestFile(join(folder, "checkpoint-hook.cjs"), SAYS_HELLO);
    const command = userCommand({ node: join(folder, name, "node"), program }, "--agent gemini");
    expect(await run(shell, command)).toEqual(SILENT);
  });
});

describe.for(SHELLS)("the command of an executable in %s", (shell) => {
  const SAYS_WHERE = "#!/bin/sh\nprintf '%s' \"hello $* in $(pwd)\"\n";

  test.for(ODD_NAMES)("runs it in a folder called %s", async (name) => {
    const program = writeTestFile(join(testFolder(), name, "checkpoint-hook"), SAYS_WHERE, 0o755);
    const answer = await run(shell, userCommand({ node: null, program }, "--agent claude"), { cwd: dirname(program) });
    expect(answer).toEqual({ ...SILENT, stdout: `hello --agent claude in /` });
  });

  test("runs it from a folder that is gone", async () => {
    const program = writeTestFile(join(testFolder(), "checkpoint-hook"), SAYS_WHERE, 0o755);
    const command = userCommand({ node: null, program }, "--agent claude");
    const gone = join(testFolder(), "gone");
    mkdirSync(gone);
    const answer = await run("sh", `cd '${gone}'; rmdir '${gone}'; exec ${shell} -c "$COMMAND"`, {
      env: { COMMAND: command, PATH: process.env["PATH"] },
    });
    expect(answer).toMatchObject({ stdout: "hello --agent claude in /", exitCode: 0 });
  });

  test("passes without a word if it is missing", async () => {
    const program = join(testFolder(), "checkpoint-hook");
    expect(await run(shell, userCommand({ node: null, program }, "--agent gemini"))).toEqual(SILENT);
  });
});

describe.for(SHELLS)("a project's command in %s", (shell) => {
  describe.for(AGENTS)("of $title", ({ name, projectFolderWord }) => {
    const command = projectCommand(projectFolderWord, `--agent ${name}`);
    const hello = { ...SILENT, stdout: `hello --agent ${name}` };
    const system = "/usr/bin:/bin";

    /** A project with an odd name that has the program in its `node_modules`, and a folder with nothing but node. */
    const stage = () => {
      const folder = testFolder();
      const project = join(folder, "my project's");
      const nodeFolder = join(folder, "node");
      mkdirSync(nodeFolder);
      symlinkSync(process.execPath, join(nodeFolder, "node"));
      const local = join(project, "node_modules", ".bin", "checkpoint-hook");
      const PATH = [nodeFolder, system].join(delimiter);
      return { folder, project, local, options: { cwd: project, env: { PATH, CLAUDE_PROJECT_DIR: project } } };
    };

    test("runs the program of the PATH before the project's own", async () => {
      const { folder, local, options } = stage();
      writeTestFile(local, "#!/bin/sh\necho local\n", 0o755);
      const global = writeTestFile(join(folder, "global", "checkpoint-hook"), SAYS_HELLO, 0o755);
      const PATH = [dirname(global), options.env.PATH].join(delimiter);
      expect(await run(shell, command, { ...options, env: { ...options.env, PATH } })).toEqual(hello);
    });

    test("runs the project's own program where the PATH has none", async () => {
      const { local, options } = stage();
      writeTestFile(local, SAYS_HELLO, 0o755);
      expect(await run(shell, command, options)).toEqual(hello);
    });

    test("passes without a word where there is no program", async () => {
      const { project, options } = stage();
      mkdirSync(project);
      expect(await run(shell, command, options)).toEqual(SILENT);
    });

    test("passes without a word where there is no node", async () => {
      const { local, options } = stage();
      writeTestFile(local, SAYS_HELLO, 0o755);
      const empty = testFolder();
      for (const name of ["git", "sh"]) writeTestFile(join(empty, name), "#!/bin/sh\nexit 1\n", 0o755);
      const shellPath = (await execa("which", [shell])).stdout;
      expect(await run(shellPath, command, { ...options, env: { ...options.env, PATH: empty } })).toEqual(SILENT);
    });

    test("names nothing of this machine", () => {
      expect(command).not.toContain(process.execPath);
      expect(command).not.toMatch(/\/(?!dev\/null|node_modules)[a-z]+\/[a-z]/);
    });
  });

  const deeper = AGENTS.filter(({ projectFolderWord }) => projectFolderWord !== ".");
  test.for(deeper)(
    "of $title finds the project's program from a folder deeper down",
    async ({ name, projectFolderWord }) => {
      const project = testFolder();
      await execa("git", ["init", "-q", project]);
      writeTestFile(join(project, "node_modules", ".bin", "checkpoint-hook"), SAYS_HELLO, 0o755);
      const cwd = join(project, "deep", "down");
      mkdirSync(cwd, { recursive: true });
      const env = {
        PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
        ...(name === "claude" ? { CLAUDE_PROJECT_DIR: project } : {}),
      };
      const answer = await run(shell, projectCommand(projectFolderWord, `--agent ${name}`), { cwd, env });
      expect(answer).toEqual({ ...SILENT, stdout: `hello --agent ${name}` });
    },
  );
});

// Gemini CLI fills in variables of the settings itself, before any shell sees them.
test("Gemini CLI's command has no variable in it", () => {
  const [projectFolderWord = ""] = AGENTS.filter(({ name }) => name === "gemini").map((row) => row.projectFolderWord);
  expect(projectCommand(projectFolderWord, "--agent gemini")).not.toContain("$");
});

describe("taking a command apart", () => {
  test.for(ODD_NAMES)("gives back the paths that a person's command was made of: %s", (name) => {
    const paths = { node: `/opt/${name}/node`, program: `/opt/${name}/checkpoint-hook.cjs` };
    expect(parseHookCommand(userCommand(paths, "--agent codex"))).toEqual({ paths, args: "--agent codex" });
    const executable = { node: null, program: `/opt/${name}/checkpoint-hook` };
    expect(parseHookCommand(userCommand(executable, "--agent codex"))).toEqual({
      paths: executable,
      args: "--agent codex",
    });
  });

  test.for(AGENTS)("knows the project's command of $title", ({ name, projectFolderWord }) => {
    const args = `--agent ${name}`;
    expect(parseHookCommand(projectCommand(projectFolderWord, args))).toEqual({ paths: null, args });
  });

  const foreign = [
    "node /opt/checkpoint-hook.cjs --agent claude",
    "[ -x /n ] && [ -f /p ] || exit 0; exec /n /other --agent claude",
    "[ -x /n ] && [ -f /p ] || exit 0; exec /n /p --agent claude; notify-send done",
    "notify-send done; [ -x /n ] && [ -f /p ] || exit 0; exec /n /p --agent claude",
  ];
  test.for(foreign)("does not take for its own: %s", (command) => {
    expect(parseHookCommand(command)).toBeNull();
  });
});
