import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { VOICES } from "./agent-voices.ts";
import { checkpoint } from "./checkpoint-program.ts";
import { begin, decisionsOf, openTestStage, PATIENCE, UNASKED } from "./codex-session.ts";
import { DAEMON, DAEMON_MESSAGE, daemonChange, daemonRestart, PROMPT } from "./daemon-change.ts";
import { runWithCheckpoint } from "./run-with-checkpoint.ts";
import { createSandbox } from "./sandbox.ts";

const voice = VOICES.codex;

test("the model is told in a hook prompt, with XML's signs escaped", async () => {
  const file = "teleclaude/core/r&d.py";
  const sandbox = await createSandbox({ ...DAEMON, [file]: "DELAY = 1\n" });
  onTestFinished(() => sandbox.remove());
  const run = await runWithCheckpoint("codex", sandbox, {
    prompt: PROMPT,
    script: {
      replies: [
        { calls: [voice.edit(file, "DELAY = 1", "DELAY = 2")] },
        { say: "Done, it works." },
        ...daemonRestart(voice),
      ],
    },
  });

  const told = run.heard[2]?.at(-1) ?? "";
  expect(told).toMatch(/^<hook_prompt hook_run_id="stop:[^"]*">agent-checkpoint: /);
  expect(told).toContain("- daemon code: `teleclaude/core/r&amp;d.py`");
  expect(voice.hookWords(told)).toContain("- daemon code: `teleclaude/core/r&d.py`");
  expect(decisionsOf(run.stops)).toEqual(["block by hook: missing-actions", "pass by hook: asked-before"]);
});

test("a hook that is not trusted does nothing, and the doctor says so", async () => {
  const sandbox = await createSandbox(DAEMON);
  onTestFinished(() => sandbox.remove());
  const run = await runWithCheckpoint("codex", sandbox, {
    prompt: PROMPT,
    script: { replies: daemonChange(voice) },
    args: UNASKED,
  });

  expect(run.exitCode).toBe(0);
  expect(run.heard).toHaveLength(3);
  expect(run.stops).toEqual([]);
  const report = await checkpoint(sandbox, "doctor", "--agent", "codex", "--json");
  expect(findingsOf(report, "trust")).toMatchObject([
    { level: "fail", what: expect.stringContaining("not trusted"), fix: expect.stringContaining("Review hooks") },
  ]);
});

test("a hook that the user trusts at the screen blocks once, and injector and doctor see that it is trusted", async () => {
  const stage = await openTestStage({
    isSetUp: true,
    script: { replies: [...daemonChange(voice), ...daemonRestart(voice)] },
  });
  const screen = await stage.startCodex(...UNASKED);
  await screen.waitFor("2. Trust all and continue");
  // Codex shows the question a moment before it takes keys.
  await sleep(1000);
  await screen.press("2", "Enter");
  await begin(screen, PROMPT);
  await screen.waitFor("The daemon runs with the new delay.");
  await expect.poll(() => stage.threads().map(({ ended }) => ended), PATIENCE).toEqual([1]);

  expect(stage.threads()).toMatchObject([{ userMessages: [PROMPT], hookPrompts: [DAEMON_MESSAGE] }]);
  expect(decisionsOf(await stage.stops())).toEqual(["block by hook: missing-actions", "pass by hook: asked-before"]);
  const { stdout } = await stage.checkpointCodex("watch", "--once", "--dry-run");
  expect(stdout).toContain("route hook: our Stop hook is trusted");
  const { stdout: report } = await stage.checkpoint("doctor", "--agent", "codex", "--json");
  for (const check of ["registered", "trust", "canary", "last-firing"])
    expect(findingsOf(report, check)).toMatchObject([{ level: "ok" }]);
});

/** What the doctor found at one of its checks of Codex. */
function findingsOf(report: string, check: string): readonly unknown[] {
  const { groups } = JSON.parse(report) as DoctorReport;
  return groups[0]?.checks.find(({ id }) => id === check)?.findings ?? [];
}

interface DoctorReport {
  readonly groups: readonly {
    readonly checks: readonly { readonly id: string; readonly findings: readonly unknown[] }[];
  }[];
}
