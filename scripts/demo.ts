// The main job, in a scratch repository: an agent changes a daemon and says "done"; the first stop is blocked with
// the exact checklist, the agent does a part of it, and the second stop passes.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

const PROGRAM = fileURLToPath(new URL("../apps/hook-receiver/dist/checkpoint-hook.cjs", import.meta.url));

const TURN: readonly Step[] = [
  { read: "teleclaude/core/retry.py" },
  { edit: "teleclaude/core/retry.py" },
  { shell: "pytest -q tests/unit/test_retry.py", output: "3 passed in 0.21s" },
  { edit: "teleclaude/core/retry.py" },
  { edit: "config.yml" },
  { shell: "make status", output: "daemon: running (old code)" },
];

const SCENARIO: Scenario = {
  name: "demo",
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
  turn: TURN,
  blocks: true,
};

const folder = mkdtempSync(join(tmpdir(), "agent-checkpoint-demo-"));
try {
  await demo(join(folder, "project"), join(folder, "session.jsonl"), join(folder, "home"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function demo(project: string, transcript: string, home: string): Promise<void> {
  await makeRepository(project, SCENARIO);
  const stoppedAt = new Date();
  const promptAt = new Date(stoppedAt.getTime() - SCENARIO.minutes * 60_000);
  const facts: SessionFacts = {
    sessionId: randomUUID(),
    promptId: randomUUID(),
    prompt: SCENARIO.prompt,
    projectPath: project,
    promptAt,
    lastMessage: "Done! The retry loop backs off now.",
  };
  writeFileSync(transcript, writeClaudeTranscript(TURN, facts));
  const events = claudeEvents(facts, transcript);
  const call = async (event: object, now: Date) => {
    const started = performance.now();
    const env = { CHECKPOINT_HOME: home, CLAUDE_PROJECT_DIR: project, CHECKPOINT_NOW: now.toISOString() };
    const { stdout } = await execa(process.execPath, [PROGRAM, "--agent", "claude"], {
      input: JSON.stringify(event),
      env,
    });
    return { stdout, took: `${Math.round(performance.now() - started)} ms` };
  };

  const status = await execa("git", ["status", "--short", "--untracked-files=all"], { cwd: project });
  title("A scratch repository, with what git says changed:");
  print(status.stdout);
  title(`The human said “${facts.prompt}”. This is what the transcript shows of the turn:`);
  print(
    TURN.map(
      (step) =>
        Object.entries(step)
          .slice(0, 1)
          .map(([kind, what]) => `${kind.padEnd(6)} ${String(what)}`)[0],
    ).join("\n"),
  );
  await call(events.prompt, promptAt);

  const first = await call(events.stop, stoppedAt);
  title(`The agent says “${facts.lastMessage}” and stops. The hook blocks it (${first.took}), and the agent reads:`);
  print((JSON.parse(first.stdout) as { reason: string }).reason);

  const second = await call({ ...events.stop, stop_hook_active: false }, new Date(stoppedAt.getTime() + 60_000));
  title(`A minute later it stops again. The second stop of a turn always passes (${second.took}):`);
  print(second.stdout === "" ? "(nothing on stdout, exit code 0)" : second.stdout);
  if (second.stdout !== "") process.exitCode = 1;
}

function title(text: string): void {
  console.log(`\n${styleText("bold", text)}`);
}

function print(text: string): void {
  for (const line of text.split("\n")) console.log(`  ${styleText("dim", "│")} ${line}`);
}
