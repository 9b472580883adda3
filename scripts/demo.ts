// The main job, in two scratch repositories. In a TypeScript project an agent changes code and says "done": the stop is
// blocked with the exact command, the agent runs it, and the next stop passes. Then the same for a daemon with rules of its own.
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { execa } from "execa";
import {
  claudeEvents,
  makeRepository,
  type Scenario,
  type SessionFacts,
  type Step,
  writeClaudeTranscript,
} from "../fixtures/src/index.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The executable where it was built, else the Node program. */
const BINARY = here(`../binaries/${process.platform}-${process.arch}/dist/checkpoint-hook`);
const [program, ...args] = existsSync(BINARY)
  ? ([BINARY] as const)
  : ([process.execPath, here("../apps/hook-receiver/dist/checkpoint-hook.cjs")] as const);

/** A story: what the agent did before it said "done", and what it did after it was blocked. */
interface Story {
  readonly title: string;
  readonly scenario: Scenario;
  readonly turn: readonly Step[];
  readonly answer: readonly Step[];
}

const STORIES: readonly Story[] = [
  {
    title: "A TypeScript project, as `git status` shows it",
    turn: [{ read: "src/retry.ts" }, { edit: "src/retry.ts" }],
    answer: [{ shell: "npm test", output: " Test Files  1 passed (1)\n      Tests  4 passed (4)" }],
    scenario: {
      name: "demo",
      title: "Code changed, and no test ran.",
      prompt: "Make the retry loop back off",
      minutes: 4,
      committed: ["src/retry.ts", "src/retry.test.ts", "README.md"],
      contents: { "package.json": JSON.stringify({ scripts: { test: "vitest run" } }) },
      modified: ["src/retry.ts"],
      turn: null,
      blocks: true,
    },
  },
  {
    title: "A daemon with rules of its own (the preset `teleclaude`), as `git status` shows it",
    turn: [
      { read: "teleclaude/core/retry.py" },
      { edit: "teleclaude/core/retry.py" },
      { shell: "pytest -q tests/unit/test_retry.py", output: "3 passed in 0.21s" },
      { edit: "teleclaude/core/retry.py" },
      { edit: "config.yml" },
    ],
    answer: [
      { shell: "make restart", output: "daemon: restarted" },
      { shell: "make status", output: "daemon: running" },
      { shell: "instrukt-ai-logs teleclaude --since 6m", output: "no errors" },
      { shell: "pytest -q tests/unit/test_retry.py", output: "3 passed in 0.19s" },
    ],
    scenario: {
      name: "demo-daemon",
      title: "A daemon and its config changed; the tests ran before the last edit.",
      prompt: "Make the retry loop back off",
      minutes: 6,
      committed: [
        "teleclaude/daemon.py",
        "teleclaude/core/retry.py",
        "config.yml",
        "README.md",
        "tests/unit/test_retry.py",
      ],
      modified: ["teleclaude/core/retry.py", "config.yml"],
      added: ["teleclaude/core/backoff.py"],
      turn: null,
      blocks: true,
    },
  },
];

const folder = mkdtempSync(join(tmpdir(), "agent-checkpoint-demo-"));
try {
  for (const [at, story] of STORIES.entries()) await tell(story, join(folder, String(at)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function tell({ title, scenario, turn, answer }: Story, place: string): Promise<void> {
  const project = join(place, "project");
  const transcript = join(place, "session.jsonl");
  await makeRepository(project, scenario);
  const stoppedAt = new Date();
  const promptAt = new Date(stoppedAt.getTime() - scenario.minutes * 60_000);
  const facts: SessionFacts = {
    sessionId: randomUUID(),
    promptId: randomUUID(),
    prompt: scenario.prompt,
    projectPath: project,
    promptAt,
    lastMessage: "Done! The retry loop backs off now.",
  };
  const events = claudeEvents(facts, transcript);
  const call = async (event: object, now: Date) => {
    const started = performance.now();
    const env = {
      CHECKPOINT_HOME: join(place, "home"),
      CLAUDE_PROJECT_DIR: project,
      CHECKPOINT_NOW: now.toISOString(),
    };
    const { stdout } = await execa(program, [...args, "--agent", "claude"], {
      input: JSON.stringify(event),
      env,
    });
    return { stdout, took: `${Math.round(performance.now() - started)} ms` };
  };

  const asked = performance.now();
  const status = await execa("git", ["status", "--short", "--untracked-files=all"], { cwd: project });
  heading(`${title} (${Math.round(performance.now() - asked)} ms):`);
  print(status.stdout);
  heading(`The user said “${facts.prompt}”. What the agent did:`);
  printSteps(turn);
  await call(events.prompt, promptAt);

  writeFileSync(transcript, writeClaudeTranscript(turn, facts));
  const first = await call(events.stop, stoppedAt);
  heading(`It says “${facts.lastMessage}” and stops. The hook blocks it (${first.took}), and the agent reads:`);
  print((JSON.parse(first.stdout) as { reason: string }).reason);

  writeFileSync(transcript, writeClaudeTranscript([...turn, ...answer], facts));
  const second = await call({ ...events.stop, stop_hook_active: false }, new Date(stoppedAt.getTime() + 60_000));
  heading(`The agent does what is missing, and stops again. The stop passes (${second.took}):`);
  printSteps(answer);
  if (second.stdout !== "") throw new Error(`the second stop of a turn was answered with ${second.stdout}`);
}

function heading(text: string): void {
  console.log(`\n${styleText("bold", text)}`);
}

function printSteps(steps: readonly Step[]): void {
  const lines = steps.map((step) => Object.entries(step)[0] ?? ["", ""]);
  print(lines.map(([kind, what]) => `${kind.padEnd(6)} ${String(what)}`).join("\n"));
}

function print(text: string): void {
  for (const line of text.split("\n")) console.log(`  ${styleText("dim", "│")} ${line}`);
}
