import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AgentVoice, type HookAgent, SECOND_STOP, VOICES } from "./agent-voices.ts";
import { checkpoint } from "./checkpoint-program.ts";
import type { CliRunOptions } from "./cli-run.ts";
import { DAEMON, DAEMON_MESSAGE, daemonChange, daemonRestart, PROMPT } from "./daemon-change.ts";
import type { ModelReply } from "./fake-models/model-script.ts";
import { type CheckedRun, runWithCheckpoint } from "./run-with-checkpoint.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";

const NODE_PROGRAM = fileURLToPath(new URL("../../apps/hook-receiver/dist/checkpoint-hook.cjs", import.meta.url));

const SERVER = {
  "checkpoint.config.json": '{ "timerSeconds": 0 }\n',
  "package.json": '{ "type": "module", "scripts": { "test": "node --test", "build": "node build.js" } }\n',
  "src/server.js": "export const delay = 1;\n",
  "src/server.test.js": 'import "node:test";\nimport "./server.js";\n',
  "README.md": "# Server\n",
};

/** `init` registers the executable; Claude Code runs both programs. */
const AGENTS = ["claude", "gemini", "codex", "copilot", "qwen", "opencode", "pi"] as const;
const RUNS = [
  ...AGENTS.map((agent) => ({ agent, on: "executable" as const })),
  { agent: "claude", on: "node" } as const,
];

describe.for(RUNS)("$agent, hook on $on", ({ agent, on }) => {
  const voice = VOICES[agent];

  test("a daemon change without a restart is sent back once, the agent acts, and the run ends", async () => {
    const run = await runHookOn(on, agent, await sandboxOf(DAEMON), {
      prompt: PROMPT,
      script: { replies: [...daemonChange(voice), ...daemonRestart(voice)] },
    });

    expect(run.exitCode).toBe(0);
    expect(run.heard).toHaveLength(5);
    const feedback = run.heard[3]?.at(-1) ?? "";
    expect(voice.hookWords(feedback)).toBe(DAEMON_MESSAGE);
    expect(run.heard[2]?.join("\n")).not.toContain("agent-checkpoint:");
    expect(run.heard[4]?.filter((text) => text.includes("agent-checkpoint:"))).toEqual([feedback]);
    expect(decisions(run)).toEqual(["block: missing-actions", `pass: ${SECOND_STOP[agent]}`]);
  });

  test("a failed build left open is sent back once", async () => {
    const run = await runHookOn(on, agent, await sandboxOf(SERVER), {
      prompt: "Make the retry loop back off",
      script: {
        replies: [
          ...serverChange(voice),
          { calls: [voice.shell("node --test")] },
          { calls: [voice.shell("npm run build")] },
          { say: "Done." },
          { calls: [voice.shell("node src/server.js")] },
          { say: "It runs." },
        ],
      },
    });

    expect(run.exitCode).toBe(0);
    expect(run.heard).toHaveLength(7);
    expect(run.heard[5]?.at(-1)).toContain("`npm run build` failed");
    expect(decisions(run)).toEqual(["block: unresolved-failures", `pass: ${SECOND_STOP[agent]}`]);
  });

  test.for([
    {
      turn: "code changed and its tests passed",
      replies: [...serverChange(voice), { calls: [voice.shell("node --test")] }],
      reason: "all-clear",
    },
    {
      turn: "only documents changed",
      replies: [{ calls: [voice.read("README.md")] }, { calls: [voice.edit("README.md", "# Server", "# The server")] }],
      reason: "capture-only",
    },
    { turn: "nothing changed", replies: [{ calls: [voice.shell("git status")] }], reason: "capture-only" },
  ])("not a word when $turn", async ({ replies, reason }) => {
    const run = await runHookOn(on, agent, await sandboxOf(SERVER), {
      prompt: "Look after the server",
      script: { replies: [...replies, { say: "Done." }] },
    });

    expect(run.exitCode).toBe(0);
    expect(run.heard).toHaveLength(replies.length + 1);
    expect(decisions(run)).toEqual([`pass: ${reason}`]);
  });
});

describe.for(["executable", "node"] as const)("claude only, hook on %s", (on) => {
  const voice = VOICES.claude;
  const act: ModelReply[] = [{ calls: [voice.shell("node --test")] }, { say: "The tests pass." }];
  const BLOCKED_ONCE = ["block: missing-actions", "pass: asked-before"];

  test("a stop while a command runs in the background passes; the one after it is judged", async () => {
    const background = { command: "sleep 1", description: "Wait", run_in_background: true };
    const run = await runHookOn(on, "claude", await sandboxOf(SERVER), {
      prompt: "Make the retry loop back off",
      script: {
        replies: [
          ...serverChange(voice),
          { calls: [{ tool: "Bash", input: background }] },
          { say: "It runs." },
          { say: "It is over." },
          ...act,
        ],
      },
    });

    expect(run.exitCode).toBe(0);
    expect(run.heard).toHaveLength(7);
    expect(decisions(run)).toEqual(["pass: background-tasks", ...BLOCKED_ONCE]);
  });

  test("tests that a sub-agent ran are evidence", async () => {
    const task = { description: "Test", prompt: "Run the tests, please.", subagent_type: "general-purpose" };
    const run = await runHookOn(on, "claude", await sandboxOf(SERVER), {
      prompt: "Make the retry loop back off",
      script: {
        replies: [
          ...serverChange(voice),
          { calls: [{ tool: "Agent", input: { ...task, run_in_background: false } }] },
          { say: "Done, and tested." },
        ],
        routes: [{ words: task.prompt, replies: act }],
      },
    });

    expect(run.exitCode).toBe(0);
    expect(decisions(run)).toEqual(["pass: all-clear"]);
  });

  test("a slash command opens a turn", async () => {
    const files = { ...SERVER, ".claude/commands/slower.md": "Make the server slower.\n" };
    const run = await runHookOn(on, "claude", await sandboxOf(files), {
      prompt: "/slower",
      script: { replies: [...serverChange(voice), { say: "Done." }, ...act] },
    });

    expect(run.exitCode).toBe(0);
    expect(run.heard[3]?.at(-1)).toContain("- code: `src/server.js`");
    expect(decisions(run)).toEqual(BLOCKED_ONCE);
  });

  test("what was done before a compaction counts", async () => {
    const [read, edit] = serverChange(voice);
    const run = await runHookOn(on, "claude", await sandboxOf(SERVER), {
      prompt: "Make the retry loop back off",
      script: {
        replies: [{ ...read }, { ...edit, inputTokens: 995_000 }, { say: "Done." }, ...act],
        routes: [{ words: "summary of the conversation", replies: [{ say: "<summary>Slower.</summary>" }] }],
      },
    });

    expect(run.exitCode).toBe(0);
    expect(run.heard.flat().filter((text) => text.includes("- code: `src/server.js`"))).not.toEqual([]);
    expect(decisions(run)).toEqual(BLOCKED_ONCE);
  });
});

function runHookOn(on: "executable" | "node", agent: HookAgent, sandbox: Sandbox, options: CliRunOptions) {
  const setUp = on === "node" ? () => registerNodeProgram(sandbox) : undefined;
  return runWithCheckpoint(agent, sandbox, { ...options, setUp });
}

/** Registers the hook with Claude Code as `init` does, with the Node program in the place of the executable. */
async function registerNodeProgram(sandbox: Sandbox): Promise<void> {
  await checkpoint(sandbox, "init", "--agent", "claude", "--no-config", "--yes");
  const file = join(sandbox.home, ".claude", "settings.json");
  const settings = await readFile(file, "utf8");
  // `exec` alone: the executable stays where the command looks for it.
  const [words, calls] = [/(?<=exec )\S+\/binaries\/\S+\/checkpoint-hook(?= )/g, `${process.execPath} ${NODE_PROGRAM}`];
  expect(settings.match(words)).toHaveLength(2);
  await writeFile(file, settings.replaceAll(words, calls));
}

function serverChange(voice: AgentVoice): readonly ModelReply[] {
  return [
    { calls: [voice.read("src/server.js")] },
    { calls: [voice.edit("src/server.js", "export const delay = 1;", "export const delay = 2;")] },
  ];
}

function decisions({ stops }: CheckedRun): readonly string[] {
  return stops.map(({ decision, reason }) => `${decision}: ${reason}`);
}

async function sandboxOf(files: Readonly<Record<string, string>>): Promise<Sandbox> {
  const sandbox = await createSandbox(files);
  onTestFinished(() => sandbox.remove());
  return sandbox;
}
