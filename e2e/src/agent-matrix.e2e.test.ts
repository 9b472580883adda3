import { readFileSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AgentVoice, type LeadingVoice, SECOND_STOP, VOICES } from "./agent-voices.ts";
import { checkpoint } from "./checkpoint-program.ts";
import { wantsOldest } from "./cli-versions.ts";
import { DAEMON, DAEMON_MESSAGE, daemonChange, daemonRestart, PROMPT } from "./daemon-change.ts";
import type { ModelReply } from "./fake-models/model-script.ts";
import { type CheckedRun, runWithCheckpoint } from "./run-with-checkpoint.ts";
import { createSandbox, INSIDE, type Sandbox, writeFiles } from "./sandbox.ts";

/** What differs between the agents in these cases. */
interface Row {
  readonly agent: "copilot" | "qwen" | "opencode" | "pi";
  /** The file that `init` writes for a user, and a second as its hooks' timeout. */
  readonly settings: string;
  readonly second: number;
  /** Start options with which hooks of a project run. */
  readonly trusting?: readonly string[];
  /** How many of our hooks run at two stops if they are registered for the user, the project, and Claude Code. */
  readonly calls: number;
  /** The stops of a session whose tests a sub-agent runs, or the agent itself if it has none. */
  readonly delegating: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    agent: "copilot",
    settings: ".copilot/hooks/agent-checkpoint.json",
    second: 1,
    // It is the only one that runs Claude Code's too; its oldest versions do not.
    calls: wantsOldest() ? 4 : 6,
    delegating: ["pass: sub-agent", "pass: all-clear"],
  },
  {
    agent: "qwen",
    settings: ".qwen/settings.json",
    second: 1000,
    calls: 4,
    delegating: ["pass: background-tasks", "pass: all-clear"],
  },
  {
    agent: "opencode",
    settings: ".config/opencode/plugins/agent-checkpoint.js",
    second: 1,
    // The second plugin sees the message of the first and does not ask.
    calls: 3,
    delegating: ["pass: all-clear"],
  },
  {
    agent: "pi",
    settings: ".pi/agent/extensions/agent-checkpoint.js",
    second: 1,
    trusting: ["--approve"],
    calls: 4,
    delegating: ["pass: all-clear"],
  },
];

/** How a hook's command fails, at once or by giving no answer in time. */
const FAULTS = [
  "/no/such/program",
  "echo no >&2; exit 1",
  "kill -SEGV $$",
  "echo garbage",
  `echo '{"decision":"block","reason":"Once more"}'; echo '{}'`,
  "true",
];
const NO_ANSWER = "exec python3 -c 'import time; time.sleep(60)'";

const HOOK = fileURLToPath(new URL("../../apps/hook-receiver/dist/checkpoint-hook.cjs", import.meta.url));

describe.for(ROWS)("$agent", ({ agent, settings, second, trusting, calls, delegating }) => {
  const voice: AgentVoice | LeadingVoice = VOICES[agent];
  const init = (sandbox: Sandbox, ...more: readonly string[]) =>
    checkpoint(sandbox, "init", "--agent", agent, "--no-config", "--yes", ...more);

  test("hooks in every file there is, and a message that is ignored: one block, and the run ends", async () => {
    const sandbox = await sandboxOf(DAEMON);
    await addProgram(sandbox, "checkpoint-hook", `exec node ${HOOK} "$@"`);
    const run = await runWithCheckpoint(agent, sandbox, {
      prompt: PROMPT,
      script: { replies: [...daemonChange(voice), { say: "I leave it at that." }] },
      args: trusting,
      setUp: async () => {
        await init(sandbox);
        await init(sandbox, "--agent", "claude", "--project");
        await commitAll(sandbox);
      },
    });

    expect(run.exitCode).toBe(0);
    expect(run.heard).toHaveLength(4);
    expect(run.heard[3]?.filter((text) => text.includes("agent-checkpoint:"))).toHaveLength(1);
    expect(decisions(run).filter((decision) => decision.startsWith("block"))).toEqual(["block: missing-actions"]);
    expect(run.stops).toHaveLength(calls);
  });

  test("hooks that fail in every way, ours without its program among them: the turn ends as if there were none", async () => {
    const sandbox = await sandboxOf(DAEMON);
    const run = await runWithCheckpoint(agent, sandbox, {
      prompt: PROMPT,
      script: { replies: daemonChange(voice) },
      hooks: [...FAULTS, NO_ANSWER].map((fault) => ({
        event: "Stop",
        command: `echo >> ${INSIDE.home}/started; ${fault}`,
        timeout: fault === NO_ANSWER ? second : undefined,
      })),
      setUp: async () => {
        await init(sandbox);
        const file = join(sandbox.home, settings);
        await writeFile(file, (await readFile(file, "utf8")).replaceAll("/checkpoint-hook", "/no-such-hook"));
      },
    });

    expect(run.exitCode).toBe(0);
    expect(run.heard).toHaveLength(3);
    expect(run.stops).toEqual([]);
    expect(readFileSync(join(sandbox.home, "started"), "utf8")).toHaveLength(FAULTS.length + 1);
  });

  test("a git that does not answer: one block that says less, and the run ends", async () => {
    const sandbox = await sandboxOf(DAEMON);
    await addProgram(
      sandbox,
      "git",
      `grep -q checkpoint-hook /proc/$PPID/cmdline && exec sleep 60\nexec /usr/bin/git "$@"`,
    );
    const run = await runWithCheckpoint(agent, sandbox, {
      prompt: PROMPT,
      script: { replies: [...daemonChange(voice), ...daemonRestart(voice)] },
    });

    expect(run.exitCode).toBe(0);
    expect(run.heard).toHaveLength(5);
    expect(decisions(run)).toEqual(["block: git-unknown", `pass: ${SECOND_STOP[agent]}`]);
  });

  test("two sessions at once: one is blocked for its own file, in the other a sub-agent has run the tests", async () => {
    const [mine, other, task] = ["Make the server slower", "Make the client patient", "Run the tests, please."];
    const changed = `${INSIDE.home}/changed`;
    const tests: readonly ModelReply[] = [{ calls: [voice.shell("node --test")] }, { say: "The tests pass." }];
    const run = await runWithCheckpoint(agent, await sandboxOf(SERVER), {
      prompt: mine,
      promptBeside: other,
      script: {
        replies: [...change(voice, "server", "delay"), { say: "Done.", holdUntilFile: changed }, ...tests],
        routes: [
          { words: task, replies: tests },
          {
            words: other,
            replies: [
              ...change(voice, "client", "patience"),
              { calls: [voice.shell(`touch ${changed}`)] },
              ...("delegate" in voice ? [{ calls: [voice.delegate(task)] }] : tests.slice(0, 1)),
              ...(delegating.includes("pass: background-tasks") ? [{ say: "I wait." }] : []),
              { say: "Done, and tested." },
            ],
          },
        ],
      },
    });

    expect(run.exitCode).toBe(0);
    expect(run.heard.flat().find((text) => text.includes("agent-checkpoint:"))).toContain(
      "- code: `src/server.js`\n\n",
    );
    const isBlocked = (stops: readonly string[]) => stops.includes("block: missing-actions");
    const sessions = sessionsOf(run);
    expect(sessions.filter(isBlocked)).toEqual([["block: missing-actions", `pass: ${SECOND_STOP[agent]}`]]);
    expect(sessions.filter((stops) => !isBlocked(stops)).flat()).toEqual(delegating);
  });

  test("a turn that is interrupted is no stop; words typed while the next one works do not divide it", async () => {
    const [read, edit, done] = daemonChange(voice);
    const { begun, goesOn, typed, never } = SIGNS;
    const waits = (file: string, awaited: string) => ({
      calls: [voice.shell(`touch ${file}; python3 -c "${WAIT}" ${awaited}`)],
    });
    const run = await runWithCheckpoint(agent, await sandboxOf(DAEMON), {
      prompt: "Wait for a while",
      screenSteps: [
        { waitForFile: begun },
        { pauseMs: 1000 },
        ...voice.interrupt,
        { pauseMs: 2500 },
        { enter: PROMPT },
        { waitForFile: goesOn },
        { enter: "And be brief" },
        { pauseMs: 1000 },
        { run: `touch ${typed}` },
        { waitFor: "The daemon runs" },
        { pauseMs: 2000 },
      ],
      script: {
        replies: [
          waits(begun, never),
          { ...read },
          { ...edit },
          waits(goesOn, typed),
          { ...done },
          ...daemonRestart(voice),
        ],
      },
    });

    expect(run.screenTrouble).toBe(null);
    expect(run.heard[4]?.at(-1)).toContain("And be brief");
    // Copilot CLI may tell the model first that the command has ended.
    const told = run.heard.flat().find((text) => text.includes("agent-checkpoint:")) ?? "";
    expect(voice.hookWords(told)).toBe(DAEMON_MESSAGE);
    expect(decisions(run)).toEqual(["block: missing-actions", `pass: ${SECOND_STOP[agent]}`]);
  });
});

test("OpenCode, if a call follows a text: no message once the tool has begun, and one that was added is taken back", async () => {
  const voice = VOICES.opencode;
  const [read, edit, done] = daemonChange(voice);
  const looksAround = (pauseBeforeCallsMs: number) => ({
    say: "I look around.",
    calls: [voice.shell("ls")],
    pauseBeforeCallsMs,
  });
  const run = await runWithCheckpoint("opencode", await sandboxOf(DAEMON), {
    prompt: PROMPT,
    // With this API the text is complete before the call begins.
    model: "@ai-sdk/anthropic",
    script: {
      replies: [{ ...read }, { ...edit }, looksAround(0), looksAround(5000), { ...done }, ...daemonRestart(voice)],
    },
  });

  expect(run.exitCode).toBe(0);
  expect(run.heard).toHaveLength(7);
  expect(run.heard[4]?.join("\n")).not.toContain("agent-checkpoint:");
  expect(run.heard[5]?.at(-1)).toBe(DAEMON_MESSAGE);
  expect(decisions(run)).toEqual(["block: missing-actions", "pass: already-blocked"]);
  const transcript = await readFile(run.transcriptPath ?? "", "utf8");
  expect(transcript.split("\n").filter((line) => line.includes('"ignored":true'))).toHaveLength(1);
});

const SERVER = {
  "checkpoint.config.json": '{ "timerSeconds": 0 }\n',
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/server.js": "export const delay = 1;\n",
  "src/client.js": "export const patience = 1;\n",
  "src/all.test.js": 'import "node:test";\nimport "./server.js";\nimport "./client.js";\n',
};

function change(voice: AgentVoice, module: string, name: string): readonly ModelReply[] {
  const file = `src/${module}.js`;
  return [
    { calls: [voice.read(file)] },
    { calls: [voice.edit(file, `export const ${name} = 1;`, `export const ${name} = 2;`)] },
  ];
}

function decisions({ stops }: Pick<CheckedRun, "stops">): readonly string[] {
  return stops.map(({ decision, reason }) => `${decision}: ${reason}`);
}

/** The decisions of each session. */
function sessionsOf({ stops }: CheckedRun): readonly (readonly string[])[] {
  const ids = new Set(stops.map(({ sessionId }) => sessionId));
  return [...ids].map((id) => decisions({ stops: stops.filter(({ sessionId }) => sessionId === id) }));
}

async function commitAll({ home, project }: Sandbox): Promise<void> {
  const options = { cwd: project, env: { PATH: process.env["PATH"], HOME: home }, extendEnv: false };
  await execa("git", ["add", "--all"], options);
  await execa("git", ["commit", "--quiet", "--message=Hooks"], options);
}

/** Files by which a command and the person at the screen wait for each other. */
const SIGNS = {
  begun: `${INSIDE.home}/begun`,
  goesOn: `${INSIDE.home}/goes-on`,
  typed: `${INSIDE.home}/typed`,
  never: `${INSIDE.home}/never`,
};

/** A Python program that waits for a file. */
const WAIT = "import os, sys, time; [time.sleep(0.1) for _ in iter(lambda: os.path.exists(sys.argv[1]), True)]";

/** Puts a program into the home that is found before the machine's own. */
async function addProgram({ home }: Sandbox, name: string, script: string): Promise<void> {
  await writeFiles(home, { [`bin/${name}`]: `#!/bin/sh\n${script}\n` });
  await chmod(join(home, "bin", name), 0o755);
}

async function sandboxOf(files: Readonly<Record<string, string>>): Promise<Sandbox> {
  const sandbox = await createSandbox(files);
  onTestFinished(() => sandbox.remove());
  return sandbox;
}
