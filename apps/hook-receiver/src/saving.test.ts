import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { writeBridge } from "@agent-checkpoint/autosave/threshold";
import { recordedEvent, type Scenario, SCENARIO_AGENTS } from "@agent-checkpoint/fixtures";
import { openStore, type StoredSave, type StoredStop } from "@agent-checkpoint/store";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { callHook, type HookAnswer, reasonOf } from "./testing/hook-process.ts";
import { stageScenario, type StagedScenario } from "./testing/stage-scenario.ts";

/** A turn in which the agent wrote a note, under rules that save. */
function noteTaken(save: object, committed = "notes.md"): Scenario {
  return {
    name: "note-taken",
    title: "The agent wrote a note.",
    prompt: "Take a note",
    minutes: 5,
    committed: [committed, "test_notes.py"],
    modified: [committed],
    contents: {
      "checkpoint.config.json": JSON.stringify({ save: { protectedBranches: [], contextWindow: 1000, ...save } }),
    },
    turn: [{ read: committed }, { edit: committed }],
    blocks: false,
  };
}

/** The scenario for one agent, in a repository that knows who commits. */
async function stage(scenario: Scenario, agent: Parameters<typeof stageScenario>[1]): Promise<StagedScenario> {
  const staged = await stageScenario(scenario, agent);
  await git(staged, "config", "user.name", "Dev");
  await git(staged, "config", "user.email", "dev@example.com");
  return staged;
}

const transcriptOf = ({ project }: StagedScenario) => join(project, "..", "session.jsonl");

/** Lets the transcript say how full the context is, in the agent's own format; Claude's recording does by itself. */
const FILL: Readonly<Record<string, (staged: StagedScenario) => void>> = {
  claude: () => undefined,
  gemini: (staged) => {
    const path = transcriptOf(staged);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/"input":\d+/g, '"input":500000'));
  },
  codex: (staged) => {
    const info = {
      total_token_usage: { total_tokens: 900_000 },
      last_token_usage: {
        input_tokens: 119_000,
        cached_input_tokens: 100_000,
        output_tokens: 1000,
        total_tokens: 120_000,
      },
      model_context_window: 258_400,
    };
    const line = { timestamp: "2026-03-02T09:04:00.000Z", type: "event_msg", payload: { type: "token_count", info } };
    writeFileSync(transcriptOf(staged), `${JSON.stringify(line)}\n`, { flag: "a" });
  },
  copilot: (staged) => {
    const usage = { model: "fake-model", inputTokens: 119_000, outputTokens: 1000, maxPromptTokens: 200_000 };
    const line = { type: "session.usage_record", data: { usage }, timestamp: "2026-03-02T09:04:00.000Z" };
    writeFileSync(transcriptOf(staged), `${JSON.stringify(line)}\n`, { flag: "a" });
  },
};

/** Qwen Code does not write down how large the context may become. */
const TELLING = SCENARIO_AGENTS.filter((agent) => agent in FILL);

const git = async ({ project }: StagedScenario, ...args: string[]) =>
  (await execa("git", args, { cwd: project })).stdout;
const subjects = async (staged: StagedScenario) => (await git(staged, "log", "--format=%s")).split("\n");

async function records({ home }: StagedScenario): Promise<{ stops: StoredStop[]; saves: StoredSave[] }> {
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  const stops = await opened.store.stops.list();
  const saves = await opened.store.saves.list();
  await opened.store.close();
  return { stops, saves };
}

const answerOf = ({ stdout }: HookAnswer) => (stdout === "" ? {} : (JSON.parse(stdout) as Record<string, unknown>));

describe.for(TELLING)("%s", (agent) => {
  test("saves once per crossing, and goes on from there", { timeout: 60_000 }, async () => {
    const staged = await stage(noteTaken({ mode: "autonomous" }), agent);
    FILL[agent]?.(staged);
    await staged.prompt();
    const answer = await staged.stop();
    expect(answer).toMatchObject({ stderr: "", exitCode: 0 });
    const reason = reasonOf(answer);
    expect(reason).toMatch(/^agent-checkpoint: Your work was saved at \d+ % of the context: commit `[0-9a-f]{12}` on /);
    expect(reason).toContain("`CLAUDE.md`, `notes.md`");
    expect(reason).toMatch(/\n\nThen finish with your answer to the user, updated: it replaces your previous reply\.$/);
    expect(await subjects(staged)).toEqual(["checkpoint: auto-checkpoint", expect.any(String)]);
    expect(await git(staged, "status", "--porcelain")).toBe("");
    // The next turns are as full, and nothing more is saved or said.
    const timestamp = new Date().toISOString();
    const later = { prompt_id: "another", turn_id: "another", prompt: "Another", timestamp };
    expect(reasonOf(await staged.stop(later, 1200))).toBeNull();
    expect(await subjects(staged)).toHaveLength(2);
    const { stops, saves } = await records(staged);
    expect(saves).toMatchObject([{ agent, outcome: "committed", trigger: "stop", files: ["CLAUDE.md", "notes.md"] }]);
    expect(stops.map(({ decision, reason: why, save }) => [decision, why, save])).toEqual([
      ["pass", expect.any(String), "cooldown"],
      ["block", "work-saved", "committed"],
    ]);
    expect(readFileSync(join(staged.home, "checkpoint.log"), "utf8")).toMatch(
      /^\S+ info save session=\S+ step=begin .*\n(?:\S+ info save .*\n)+/,
    );
  });
});

test("Claude's answer says what was done, for people and for programs", { timeout: 60_000 }, async () => {
  const staged = await stage(noteTaken({ mode: "autonomous" }), "claude");
  const answer = answerOf(await staged.stop());
  expect(answer).toMatchObject({
    decision: "block",
    systemMessage: expect.stringMatching(/^✅ Auto-checkpoint executed: saved 2 files in [0-9a-f]{12} on /),
    autonomous_execution: {
      enabled: true,
      skill: "checkpoint",
      executed_directly: true,
      router_decision: { outcome: "committed", threshold: 40, commit: await git(staged, "rev-parse", "HEAD") },
    },
  });
});

test("what counts is the last answer, which Claude writes a moment after it calls", { timeout: 60_000 }, async () => {
  const staged = await stage(noteTaken({ mode: "autonomous" }), "claude");
  const path = transcriptOf(staged);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const last = lines.findLastIndex((line) => line.includes('"type":"assistant"'));
  const before = lines.slice(0, last).map((line) => line.replaceAll(/"input_tokens":\d+/g, '"input_tokens":1'));
  writeFileSync(path, `${before.join("\n")}\n`);
  await staged.prompt();
  const stopping = staged.stop();
  await setTimeout(200);
  appendFileSync(path, `${lines.slice(last).join("\n")}\n`);
  expect(reasonOf(await stopping)).toContain("Your work was saved at");
});

test("what was saved is said in the same block as the checklist", { timeout: 60_000 }, async () => {
  const staged = await stage(noteTaken({ mode: "autonomous" }, "app.py"), "claude");
  const reason = reasonOf(await staged.stop());
  expect(reason).toMatch(/^agent-checkpoint: Your work was saved at [^]*\n\n1 action is still required/);
  expect(reason).not.toContain("Commit only after");
  expect(reason).toMatch(/\n\n.*finish with your answer to the user, updated: it replaces your previous reply\.$/);
  expect(readFileSync(join(staged.project, "CLAUDE.md"), "utf8")).toContain("- Still required:\n  - ");
});

test("where the turn's block is spent, the stop passes and the human is told", { timeout: 60_000 }, async () => {
  const staged = await stage(noteTaken({ mode: "autonomous", contextWindow: 100_000 }, "app.py"), "claude");
  expect(reasonOf(await staged.stop())).toMatch(/^agent-checkpoint: 1 action/);
  const bridged = { percent: 55, tokens: null, window: null, at: new Date("2026-03-02T09:10:00Z") };
  writeBridge(staged.home, staged.facts.sessionId, bridged);
  const answer = answerOf(await staged.stop({}, 300));
  expect(answer).not.toHaveProperty("decision");
  expect(answer).toMatchObject({ systemMessage: expect.stringContaining("saved 2 files") });
  expect(await subjects(staged)).toHaveLength(2);
});

test("with a person there it is an observation in a message that goes out anyway", { timeout: 60_000 }, async () => {
  const staged = await stage(noteTaken({}, "app.py"), "claude");
  const reason = reasonOf(await staged.stop());
  expect(reason).toContain(
    "- The context is 61 % full, past the threshold of 40 %: save the work before it is summarised",
  );
  expect(await subjects(staged)).toHaveLength(1);
  expect((await records(staged)).stops).toMatchObject([{ save: "advised" }]);
});

test("without `save` in the config the context is not looked at", async () => {
  const staged = await stage({ ...noteTaken({}, "app.py"), contents: {} }, "claude");
  const at = new Date("2026-03-02T09:04:50Z");
  writeBridge(staged.home, staged.facts.sessionId, { percent: 90, tokens: null, window: null, at });
  expect(reasonOf(await staged.stop())).not.toContain("The context is");
  const { stops } = await records(staged);
  expect(stops.map(({ decision, save }) => [decision, save])).toEqual([["block", undefined]]);
});

test("with a person there it never blocks alone", async () => {
  const staged = await stage(noteTaken({}), "claude");
  expect(await staged.stop()).toMatchObject({ stdout: "" });
});

test.for([
  { is: "below the threshold", save: { contextWindow: 100_000 }, outcome: "below-threshold" },
  { is: "with the newest model", save: { contextWindow: undefined }, outcome: "below-threshold" },
  { is: "with an unknown model", save: { contextWindow: undefined }, model: "claude-opus-9", outcome: "usage-unknown" },
])("$is nothing is done", async ({ save, model = "claude-opus-5-5", outcome }) => {
  const staged = await stage(noteTaken({ mode: "autonomous", ...save }), "claude");
  const path = transcriptOf(staged);
  writeFileSync(path, readFileSync(path, "utf8").replaceAll("claude-opus-5-5", model));
  expect(await staged.stop()).toMatchObject({ stdout: "" });
  expect(await subjects(staged)).toHaveLength(1);
  expect(existsSync(join(staged.project, "CLAUDE.md"))).toBe(false);
  expect((await records(staged)).stops).toMatchObject([{ save: outcome }]);
});

test("a model whose window is not known is said in the log", async () => {
  const staged = await stage(noteTaken({ mode: "autonomous", contextWindow: undefined }), "claude");
  const path = transcriptOf(staged);
  writeFileSync(path, readFileSync(path, "utf8").replaceAll("claude-opus-5-5", "claude-opus-9"));
  await staged.stop();
  expect(readFileSync(join(staged.home, "checkpoint.log"), "utf8")).toContain("the window of the model claude-opus-9");
});

test("people who follow the log of autonomous loops find it there", { timeout: 60_000 }, async () => {
  const staged = await stage(noteTaken({ mode: "autonomous" }), "claude");
  const folder = join(staged.project, "..", ".claude");
  mkdirSync(folder);
  await staged.stop();
  const [first, ...steps] = readFileSync(join(folder, "auto-continue.log"), "utf8").trimEnd().split("\n");
  const last = steps.pop();
  expect(steps.map((line) => line.replace(/^\[[^\]]+\] /, ""))).toEqual([
    expect.stringMatching(/^📝 Snapshot taken: chk_/),
    "📋 Status document updated: CLAUDE.md",
    expect.stringMatching(/^💾 Git commit created: [0-9a-f]{40}$/),
  ]);
  expect(first).toMatch(/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] 🚀 Executing checkpoint directly in hook$/);
  expect(last).toMatch(/ ✅ Direct checkpoint execution completed: 2 files in [0-9a-f]{12} on /);
});

test("the status line's word is enough", { timeout: 60_000 }, async () => {
  const staged = await stage(noteTaken({ mode: "autonomous", contextWindow: undefined }), "claude");
  const at = new Date("2026-03-02T09:04:50Z");
  writeBridge(staged.home, staged.facts.sessionId, { percent: 41, tokens: 82_000, window: 200_000, at });
  expect(reasonOf(await staged.stop())).toContain("saved at 41 % of the context");
});

test("a refusal is told to the agent, with where the work stands", { timeout: 60_000 }, async () => {
  const staged = await stage(noteTaken({ mode: "autonomous", protectedBranches: ["**"] }), "claude");
  const answer = await staged.stop();
  const reason = reasonOf(answer);
  expect(reason).toMatch(/could not be committed at 61 % of the context \(refused:protected-branch: /);
  expect(reason).toContain("is protected; `checkpoint save --allow-protected` commits to it");
  expect(reason).toContain(`- Branch: \`${await git(staged, "branch", "--show-current")}\`, on top of`);
  expect(reason).not.toContain("someone else");
  expect(reason).toContain("run `checkpoint save`");
  expect(reason).toContain("- Changed in this session: `notes.md`");
  expect(answerOf(answer)).toMatchObject({ autonomous_execution: { executed_directly: false } });
  expect(await subjects(staged)).toHaveLength(1);
});

test("before a compaction work is saved once, and told at the next stop", { timeout: 60_000 }, async () => {
  const staged = await stage(noteTaken({ mode: "autonomous", contextWindow: 100_000 }), "claude");
  const event = {
    ...recordedEvent("claude/pre-compact-auto"),
    session_id: staged.facts.sessionId,
    transcript_path: transcriptOf(staged),
    cwd: staged.project,
  };
  const compact = (at: string) =>
    callHook({
      agent: "claude",
      event,
      env: { CHECKPOINT_HOME: staged.home, HOME: "/nowhere", CHECKPOINT_NOW: at, CLAUDE_PROJECT_DIR: staged.project },
    });
  expect(await compact("2026-03-02T09:05:00Z")).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  expect(await subjects(staged)).toEqual(["checkpoint: auto-checkpoint", expect.any(String)]);
  expect(await compact("2026-03-02T09:05:02Z")).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  expect((await records(staged)).saves).toMatchObject([{ trigger: "compaction", outcome: "committed" }]);
  // There is nobody to tell before a compaction, so the next stop tells it, once.
  const later = (Date.now() - Date.parse("2026-03-02T09:05:00Z")) / 1000;
  const [first, second] = [await staged.stop({}, later + 60), await staged.stop({ prompt_id: "next" }, later + 120)];
  expect(answerOf(first)["systemMessage"]).toMatch(
    /^agent-checkpoint: before the compaction the work was saved in [0-9a-f]{12}: 2 files\.$/,
  );
  expect(answerOf(second)).not.toHaveProperty("systemMessage");
});

test("a threshold that is nonsense means 40, and is told in the log", { timeout: 60_000 }, async () => {
  const staged = await stage(noteTaken({ threshold: 90 }, "app.py"), "claude");
  const answer = await callHook({
    agent: "claude",
    event: {
      ...recordedEvent("claude/stop-first"),
      session_id: "s",
      prompt_id: "p",
      transcript_path: transcriptOf(staged),
      last_assistant_message: "",
    },
    env: {
      CHECKPOINT_HOME: staged.home,
      CHECKPOINT_NOW: "2026-03-02T09:05:00Z",
      CLAUDE_PROJECT_DIR: staged.project,
      CLAUDE_CONTEXT_THRESHOLD: "lots",
    },
  });
  expect(reasonOf(answer)).toContain("past the threshold of 40 %");
  expect(readFileSync(join(staged.home, "checkpoint.log"), "utf8")).toContain(
    "CLAUDE_CONTEXT_THRESHOLD should be a number",
  );
});
