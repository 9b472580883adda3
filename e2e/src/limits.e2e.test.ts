import { execa } from "execa";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { VOICES } from "./agent-voices.ts";
import { decisionsOf } from "./codex-session.ts";
import { DAEMON, daemonChange, daemonRestart, PROMPT } from "./daemon-change.ts";
import { runWithCheckpoint } from "./run-with-checkpoint.ts";
import { createSandbox } from "./sandbox.ts";

const PLUGIN = fileURLToPath(new URL("../../plugins/claude-code", import.meta.url));

const LIMITS = [
  { limit: 3, first: "pass by hook: turn-limit" },
  { limit: 6, first: "pass by hook: turn-limit" },
  { limit: 7, first: "block by hook: missing-actions" },
] as const;
test.for(LIMITS)(
  "Claude Code with --max-turns $limit, done in its third: $first, and the run ends well",
  async (row) => {
    const sandbox = await createSandbox(DAEMON);
    onTestFinished(() => sandbox.remove());
    const run = await runWithCheckpoint("claude", sandbox, {
      prompt: PROMPT,
      script: { replies: [...daemonChange(VOICES.claude), ...daemonRestart(VOICES.claude)] },
      args: ["--permission-mode", "bypassPermissions", "--max-turns", String(row.limit)],
    });
    expect({ exitCode: run.exitCode, first: decisionsOf(run.stops)[0] }).toEqual({ exitCode: 0, first: row.first });
  },
);

test.for(["doctor", "why", "preview"])(
  "the plugin's /agent-checkpoint:%s reaches the model, also where the program is missing",
  async (command) => {
    const sandbox = await createSandbox(DAEMON);
    onTestFinished(() => sandbox.remove());
    const run = await runWithCheckpoint("claude", sandbox, {
      prompt: `/agent-checkpoint:${command}`,
      script: { replies: [{ say: "It is not installed." }] },
      args: ["--plugin-dir", PLUGIN],
      setUp: async () => void (await execa("true")),
    });
    expect(run.heard.flat().join("\n")).toContain("(It ended with an error.)");
  },
);
