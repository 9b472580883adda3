import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { agentOf } from "@agent-checkpoint/agents";
import { recordedEvent } from "@agent-checkpoint/fixtures";
import { listChangedFiles } from "@agent-checkpoint/git";
import { extractToolCallsCurrentTurnSync } from "@agent-checkpoint/transcript";
import { expect, onTestFinished, test } from "vitest";
import { type CanaryStage, stageCanary } from "./stage-canary.ts";

const NOW = new Date("2026-03-02T09:00:00.000Z");
const EVENTS = [
  { agent: "claude", stop: "claude/stop-first", prompt: "claude/user-prompt-submit" },
  { agent: "gemini", stop: "gemini/after-agent-first", prompt: "gemini/before-agent" },
  { agent: "codex", stop: "codex/stop-first", prompt: "codex/user-prompt-submit" },
] as const;

async function staged(env: Readonly<Record<string, string | undefined>> = process.env): Promise<CanaryStage> {
  const stage = await stageCanary({ env, nodeModules: null });
  onTestFinished(stage.remove);
  return stage;
}

test("git sees one changed file, and nothing is left after removal", async () => {
  const stage = await staged();
  const changed = await listChangedFiles(stage.project, { untracked: true, timeoutMs: 5000 });
  expect(changed).toMatchObject({ files: ["canary.ts"] });
  stage.remove();
  expect(existsSync(dirname(stage.project))).toBe(false);
});

test("the user's own git set-up has no part in it", async () => {
  const home = mkdtempSync(join(tmpdir(), "checkpoint-git-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, "pre-commit"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  writeFileSync(join(home, "ignored"), "*\n");
  writeFileSync(
    join(home, ".gitconfig"),
    `[core]\n\thooksPath = ${home}\n\texcludesFile = ${join(home, "ignored")}\n[commit]\n\tgpgSign = true\n[init]\n\ttemplateDir = ${home}\n`,
  );
  const stage = await staged({ PATH: process.env["PATH"], HOME: home, GIT_DIR: "/nowhere" });
  const changed = await listChangedFiles(stage.project, { untracked: true, timeoutMs: 5000 });
  expect(changed).toMatchObject({ files: ["canary.ts"] });
});

test.for(EVENTS)("$agent: the transcript tells of one edit, five minutes after the prompt", async ({ agent }) => {
  const { newTurn } = await staged();
  const turn = newTurn(agentOf(agent), NOW);
  const timeline = extractToolCallsCurrentTurnSync(turn.transcriptPath, agent, {
    promptId: agent === "gemini" ? undefined : turn.promptId,
    promptText: turn.prompt,
  });
  expect(timeline).toMatchObject({
    hasData: true,
    isWhole: true,
    skippedLines: 0,
    prompt: { timestamp: new Date("2026-03-02T08:55:00.000Z") },
  });
  expect(timeline.toolCalls.map(({ kind, hadError }) => [kind, hadError])).toEqual([["edit", false]]);
});

test.for(EVENTS)("$agent: the events have the fields that the agent sends", async ({ agent, stop, prompt }) => {
  const turn = (await staged()).newTurn(agentOf(agent), NOW);
  const { stopEvent, promptEvent } = agentOf(agent).canary;
  const shape = (event: object) => Object.fromEntries(Object.entries(event).map(([key, value]) => [key, typeof value]));
  // Claude Code's `effort` says nothing to a hook.
  expect(shape({ effort: {}, ...stopEvent(turn, false) })).toMatchObject(shape(recordedEvent(stop)));
  expect(shape(promptEvent(turn))).toMatchObject(shape(recordedEvent(prompt)));
});

test("a project's node_modules can be found in it, and outlive it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "checkpoint-modules-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "x"), "");
  const stage = await stageCanary({ env: process.env, nodeModules: folder });
  onTestFinished(stage.remove);
  expect(existsSync(join(stage.project, "node_modules", "x"))).toBe(true);
  stage.remove();
  expect(existsSync(join(folder, "x"))).toBe(true);
});
