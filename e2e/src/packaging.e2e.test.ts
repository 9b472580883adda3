import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { VOICES } from "./agent-voices.ts";
import { checkpoint } from "./checkpoint-program.ts";
import { decisionsOf } from "./codex-session.ts";
import { DAEMON, DAEMON_MESSAGE, daemonChange, daemonRestart, PROMPT } from "./daemon-change.ts";
import { runWithCheckpoint } from "./run-with-checkpoint.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

const ROOT = new URL("../../", import.meta.url);
const CLAUDE_PLUGIN = fileURLToPath(new URL("plugins/claude-code", ROOT));
const GEMINI_EXTENSION = fileURLToPath(new URL("plugins/gemini-cli", ROOT));
const HOOK_PROGRAM = fileURLToPath(new URL("apps/cli/dist/checkpoint-hook.cjs", ROOT));

/** The ways to our hooks in which no path of the machine is written down. */
const WAYS = [
  {
    way: "the Claude Code plugin",
    agent: "claude",
    args: ["--permission-mode", "bypassPermissions", "--plugin-dir", CLAUDE_PLUGIN],
    setUp: async () => {},
  },
  {
    way: "the Gemini extension",
    agent: "gemini",
    setUp: ({ home }: Sandbox) =>
      cp(GEMINI_EXTENSION, join(home, ".gemini", "extensions", "agent-checkpoint"), { recursive: true }),
  },
  ...(["claude", "gemini"] as const).map((agent) => ({
    way: `init --project for ${agent}`,
    agent,
    setUp: (sandbox: Sandbox) => checkpoint(sandbox, "init", "--project", "--agent", agent, "--no-config", "--yes"),
  })),
] as const;

test.for(WAYS)("$way calls the program of the project's node_modules: one block, then the run ends", async (row) => {
  const { agent, setUp } = row;
  const voice = VOICES[agent];
  const sandbox = await createSandbox({ ...DAEMON, ".gitignore": "node_modules/\n.claude/\n.gemini/\n" });
  onTestFinished(() => sandbox.remove());
  await mkdir(join(sandbox.project, "node_modules", ".bin"), { recursive: true });
  await symlink(HOOK_PROGRAM, join(sandbox.project, "node_modules", ".bin", "checkpoint-hook"));
  const run = await runWithCheckpoint(agent, sandbox, {
    prompt: PROMPT,
    script: { replies: [...daemonChange(voice), ...daemonRestart(voice)] },
    ...("args" in row && { args: row.args }),
    setUp: () => setUp(sandbox),
  });

  expect(run.exitCode).toBe(0);
  expect(voice.hookWords(run.heard[3]?.at(-1) ?? "")).toBe(DAEMON_MESSAGE);
  expect(decisionsOf(run.stops)).toEqual([
    "block by hook: missing-actions",
    expect.stringMatching(/^pass by hook: (?:asked-before|already-blocked)$/),
  ]);
});
