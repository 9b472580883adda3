import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { loadScenario, recordedEvent, type Scenario, SCENARIO_AGENTS } from "@agent-checkpoint/fixtures";
import { openStore, type Stop } from "@agent-checkpoint/store";
import { describe, test } from "vitest";
import { callHook, reasonOf } from "./testing/hook-process.ts";
import { stageFault, storedStops } from "./testing/stage-fault.ts";
import { passes, stageScenario } from "./testing/stage-scenario.ts";

const SILENCE = passes("claude");
const daemon = loadScenario("daemon-change-not-restarted");
const generic = loadScenario("generic-tests-missing");

/** What the store holds of the stops, oldest first. */
async function stopsIn(home: string): Promise<readonly Stop[]> {
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  const stops = await opened.store.stops.list();
  await opened.store.close();
  return stops.toReversed();
}

const reasonsIn = async (home: string) => (await stopsIn(home)).map(({ decision, reason }) => `${decision}: ${reason}`);

describe("a stop that is not ours to judge passes, and is recorded", () => {
  const cases = [
    { agent: "claude", title: "the agent's own flag", changes: { stop_hook_active: true }, reason: "asked-before" },
    { agent: "claude", title: "plan mode", changes: { permission_mode: "plan" }, reason: "plan-mode" },
    { agent: "claude", title: "a sub-agent's stop", changes: { agent_id: "a1" }, reason: "sub-agent" },
    { agent: "claude", title: "no session id", changes: { session_id: null }, reason: "no-session" },
    { agent: "gemini", title: "the agent's own flag", changes: { stop_hook_active: true }, reason: "asked-before" },
    {
      agent: "gemini",
      title: "a cancelled reply",
      changes: { prompt_response: "[no response text]" },
      reason: "no-response-text",
    },
  ] as const;
  test.concurrent.for(cases)("$agent: $title", async ({ agent, changes, reason }, { expect: expectHere }) => {
    const { prompt, stop, home } = await stageScenario(daemon, agent);
    await prompt();
    expectHere(await stop(changes)).toEqual(SILENCE);
    expectHere(await reasonsIn(home)).toEqual([`pass: ${reason}`]);
  });

  test.concurrent.for(["SubagentStop", "SessionStart", "PreCompact", "Notification"])(
    "claude: %s is no stop",
    async (name, { expect: expectHere }) => {
      const { prompt, stop, home } = await stageScenario(daemon, "claude");
      await prompt();
      expectHere(await stop({ hook_event_name: name })).toEqual(SILENCE);
      expectHere(await reasonsIn(home)).toEqual([]);
    },
  );
});

describe("what runs in the background", () => {
  const [task] = recordedEvent("claude/stop-background-task-running")["background_tasks"] as { id: string }[];
  const running = (...ids: readonly string[]) => ({ background_tasks: ids.map((id) => ({ ...task, id })) });
  const starts = (id: string) => ({
    shell: `npm run ${id}`,
    output: `Command running in background with ID: ${id}. Output is being written to: /tmp/${id}.output.`,
  });
  const turn = [...(daemon.turn ?? []), starts("dev"), starts("docs")];
  const cases = [
    { title: "a task of this turn is waited for", stops: [["dev"]], reasons: ["pass: background-tasks"] },
    {
      title: "a task is waited for once",
      stops: [["dev"], ["dev"]],
      reasons: ["pass: background-tasks", "block: missing-actions"],
    },
    {
      title: "a task is waited for once, also after another has ended",
      stops: [["dev", "docs"], ["docs"]],
      reasons: ["pass: background-tasks", "block: missing-actions"],
    },
    {
      title: "a task that was started since is waited for",
      stops: [["dev"], ["dev", "docs"], []],
      reasons: ["pass: background-tasks", "pass: background-tasks", "block: missing-actions"],
    },
    { title: "a task of an earlier turn is not waited for", stops: [["server"]], reasons: ["block: missing-actions"] },
    {
      title: "a task without an id is waited for once",
      stops: [[""], [""]],
      reasons: ["pass: background-tasks", "block: missing-actions"],
    },
  ];
  test.concurrent.for(cases)("$title", async ({ stops, reasons }, { expect: expectHere }) => {
    const { prompt, stop, home } = await stageScenario({ ...daemon, turn }, "claude");
    await prompt();
    for (const [index, ids] of stops.entries()) await stop(running(...ids), index * 60);
    expectHere(await reasonsIn(home)).toEqual(reasons);
  });

  test.concurrent("without a transcript every task may be of this turn", async ({ expect: expectHere }) => {
    const { prompt, stop, home } = await stageScenario({ ...daemon, turn: null }, "claude");
    await prompt();
    await stop(running("server"));
    await stop(running("server"), 60);
    expectHere(await reasonsIn(home)).toEqual(["pass: background-tasks", "block: missing-actions"]);
  });
});

test.concurrent("claude: a turn that an error of the API ended is no stop, whatever the version calls", async ({
  expect: expectHere,
}) => {
  const { prompt, stop, home, project } = await stageScenario(daemon, "claude");
  await prompt();
  const path = join(project, "..", "session.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const last = JSON.parse(lines.at(-1) ?? "") as object;
  appendFileSync(path, `${JSON.stringify({ ...last, isApiErrorMessage: true })}\n`);
  expectHere(await stop({ last_assistant_message: null })).toEqual(SILENCE);
  expectHere(await reasonsIn(home)).toEqual(["pass: api-error"]);
});

describe("opencode: a stop that the agent may take back", () => {
  const tentative = { stage: "tentative" };
  const delivered = { stage: "delivered" };

  test.concurrent("is blocked and spends nothing: it is asked again, and the real stop is blocked once", async ({
    expect: expectHere,
  }) => {
    const { prompt, stop, home } = await stageScenario(daemon, "opencode");
    await prompt();
    const first = reasonOf(await stop(tentative));
    expectHere(first).toContain("checkpoint");
    expectHere(await reasonsIn(home)).toEqual([]);
    expectHere(reasonOf(await stop(tentative))).toBe(first);
    expectHere(reasonOf(await stop())).toBe(first);
    expectHere(await stop({}, 60)).toEqual(passes("opencode"));
    expectHere(await reasonsIn(home)).toEqual(["block: missing-actions", "pass: already-blocked"]);
  });

  const cases = [
    { scenario: "daemon-change-not-restarted", reason: "missing-actions" },
    { scenario: "generic-failure-left-open", reason: "unresolved-failures" },
  ];
  test.concurrent.for(cases)(
    "counts once its message has arrived: $scenario",
    async ({ scenario, reason }, { expect: expectHere }) => {
      const { prompt, stop, home } = await stageScenario(loadScenario(scenario), "opencode");
      await prompt();
      expectHere(reasonOf(await stop(tentative))).toContain("checkpoint");
      await stop(delivered, 1);
      expectHere(await stop(tentative, 60)).toEqual(passes("opencode"));
      expectHere(await reasonsIn(home)).toEqual([`block: ${reason}`, "pass: already-blocked"]);
    },
  );
});

describe("a run with a limit of turns", () => {
  const cases = [
    { words: ["--max-turns=3"], reason: "now: pass turn-limit" },
    { words: ["--max-turns", "3"], reason: "now: pass turn-limit" },
    { words: ["--max-turns", "100"], reason: "now: block missing-actions" },
    { words: ["--max-turns", "many"], reason: "now: block missing-actions" },
    { words: [], reason: "now: block missing-actions" },
  ];
  test.concurrent.for(cases)("$words: $reason", async ({ words, reason }, { expect: expectHere }) => {
    const staged = await stageFault();
    // A shell in the place of the agent: it has these words, and starts the hook.
    const script = `shift ${words.length}; "$@"; exit`;
    await staged.stop({ under: ["sh", "-c", script, "claude", ...words] });
    expectHere(storedStops(staged.database).at(-1)).toBe(reason);
  });
});

describe("one block per turn, by our own record", () => {
  test.concurrent.for(SCENARIO_AGENTS)("%s: the flag may say false again", async (agent, { expect: expectHere }) => {
    const { prompt, stop, home } = await stageScenario(daemon, agent);
    await prompt();
    expectHere(reasonOf(await stop())).toContain("make restart");
    for (const later of [60, 600, 6000]) {
      expectHere(await stop({ stop_hook_active: false }, later)).toEqual(passes(agent));
    }
    expectHere(await reasonsIn(home)).toEqual([
      "block: missing-actions",
      "pass: already-blocked",
      "pass: already-blocked",
      "pass: already-blocked",
    ]);
  });

  test.concurrent("the row of a block says what was asked for", async ({ expect: expectHere }) => {
    const { prompt, stop, home, facts, project } = await stageScenario(daemon, "claude");
    await prompt();
    await stop();
    const [row] = await stopsIn(home);
    expectHere(row).toMatchObject({
      agent: "claude",
      sessionId: facts.sessionId,
      projectPath: project,
      turn: facts.promptId,
      decision: "block",
      actions: ["restart-daemon", "check-logs", "tests"],
      isCanary: false,
    });
    expectHere(row?.observations).toHaveLength(3);
    expectHere(row?.durationMs).toBeGreaterThan(0);
  });

  test.concurrent("gemini: our own text coming back as a prompt opens no turn", async ({ expect: expectHere }) => {
    const { prompt, stop, home, facts, project } = await stageScenario(daemon, "gemini");
    await prompt();
    const reason = reasonOf(await stop());
    const back = { ...recordedEvent("gemini/before-agent-after-deny"), session_id: facts.sessionId, prompt: reason };
    const env = { CHECKPOINT_HOME: home, GEMINI_PROJECT_DIR: project, CHECKPOINT_NOW: "2026-03-02T09:04:01Z" };
    expectHere(await callHook({ agent: "gemini", event: back, env })).toEqual(SILENCE);
    expectHere(await stop({ stop_hook_active: false }, 120)).toEqual(SILENCE);
  });

  const nextPrompts = [
    {
      agent: "claude",
      event: "claude/user-prompt-submit",
      variable: "CLAUDE_PROJECT_DIR",
      turn: { prompt_id: "another" },
    },
    {
      agent: "gemini",
      event: "gemini/before-agent",
      variable: "GEMINI_PROJECT_DIR",
      turn: { prompt: "And now the other one" },
    },
    { agent: "codex", event: "codex/user-prompt-submit", variable: "UNUSED", turn: { turn_id: "another" } },
  ] as const;
  test.concurrent.for(nextPrompts)(
    "$agent: the next human prompt may be blocked again",
    async ({ agent, event, variable, turn }, { expect: expectHere }) => {
      const { prompt, stop, facts, home, project } = await stageScenario(daemon, agent);
      await prompt();
      expectHere(reasonOf(await stop())).not.toBeNull();
      const session = { session_id: facts.sessionId, cwd: project, transcript_path: null };
      const next = { ...recordedEvent(event), ...session, prompt: "And now the other one", ...turn };
      const env = { CHECKPOINT_HOME: home, [variable]: project, CHECKPOINT_NOW: "2026-03-02T09:10:00Z" };
      await callHook({ agent, event: next, env });
      expectHere(reasonOf(await stop({ ...turn, transcript_path: null }, 1200))).toContain("make restart");
    },
  );

  test.concurrent("claude: a notification restarts the turn under another id, and it is still the same turn", async ({
    expect: expectHere,
  }) => {
    const recording = readFileSync(
      new URL("../../../packages/transcript/fixtures/claude/task-notification.jsonl", import.meta.url),
      "utf8",
    );
    const { home, project } = await stageScenario(daemon, "claude");
    const transcript = join(project, "..", "recorded.jsonl");
    writeFileSync(transcript, recording);
    const env = { CHECKPOINT_HOME: home, CLAUDE_PROJECT_DIR: project };
    const send = (name: string, minute: number, changes: object = {}) =>
      callHook({
        agent: "claude",
        event: { ...recordedEvent(name), transcript_path: transcript, last_assistant_message: null, ...changes },
        env: { ...env, CHECKPOINT_NOW: new Date(Date.UTC(2027, 0, 1, 0, minute)).toISOString() },
      });
    const first = await send("claude/stop-background-task-running", 0, { background_tasks: [] });
    expectHere(reasonOf(first)).toContain("make restart");
    expectHere(await send("claude/user-prompt-submit-task-notification", 5)).toEqual(SILENCE);
    expectHere(await send("claude/stop-after-task-notification", 9)).toEqual(SILENCE);
    expectHere(await reasonsIn(home)).toEqual(["block: missing-actions", "pass: already-blocked"]);
  });
});

describe("the turn timer", () => {
  const cases = [
    { title: "29 seconds after the prompt", minutes: 29 / 60, blocks: false },
    { title: "30 seconds after the prompt", minutes: 0.5, blocks: true },
  ];
  test.concurrent.for(cases)("$title: blocks is $blocks", async ({ minutes, blocks }, { expect: expectHere }) => {
    const { prompt, stop, home } = await stageScenario({ ...daemon, minutes }, "claude");
    await prompt();
    expectHere(reasonOf(await stop()) !== null).toBe(blocks);
    expectHere(await reasonsIn(home)).toEqual([blocks ? "block: missing-actions" : "pass: timer"]);
  });

  test.concurrent.for(SCENARIO_AGENTS)(
    "%s: right after a prompt every stop passes, and a later stop of the turn is judged",
    async (agent, { expect: expectHere }) => {
      const { prompt, stop, home } = await stageScenario({ ...daemon, minutes: 0.1 }, agent);
      await prompt();
      expectHere(await stop()).toEqual(passes(agent));
      expectHere(await stop({}, 10)).toEqual(passes(agent));
      expectHere(reasonOf(await stop({}, 240))).toContain("make restart");
      expectHere(await stop({}, 250)).toEqual(passes(agent));
      expectHere(await reasonsIn(home)).toEqual([
        "pass: timer",
        "pass: timer",
        "block: missing-actions",
        "pass: already-blocked",
      ]);
    },
  );

  test.concurrent("a stop that is also snoozed is recorded by it", async ({ expect: expectHere }) => {
    const { prompt, stop, home, project, facts } = await stageScenario({ ...daemon, minutes: 0.1 }, "claude");
    const opened = await openStore(home);
    if (!opened.ok) throw new Error(opened.detail);
    const from = facts.promptAt;
    const until = new Date(from.getTime() + 3_600_000);
    const scope = { kind: "project", projectPath: project } as const;
    await opened.store.snoozes.set(scope, { from, until, reason: null, madeBy: "dev", madeIn: project }, from);
    await opened.store.close();
    await prompt();
    expectHere(await stop()).toEqual(SILENCE);
    expectHere(await stop({}, 240)).toEqual(SILENCE);
    expectHere(await reasonsIn(home)).toEqual(["pass: snoozed", "pass: snoozed"]);
  });

  test.concurrent("timerSeconds sets it", async ({ expect: expectHere }) => {
    const contents = { "checkpoint.config.json": `{ "preset": "teleclaude", "timerSeconds": 300 }` };
    const { prompt, stop } = await stageScenario({ ...daemon, contents }, "gemini");
    await prompt();
    expectHere(await stop()).toEqual(SILENCE);
    expectHere(reasonOf(await stop({}, 61))).toContain("make restart");
  });

  test.concurrent("without a prompt event the transcript tells when the turn began", async ({ expect: expectHere }) => {
    const early = await stageScenario({ ...daemon, minutes: 0.2 }, "claude");
    expectHere(await early.stop()).toEqual(SILENCE);
    expectHere(await reasonsIn(early.home)).toEqual(["pass: timer"]);
    const late = await stageScenario(daemon, "gemini");
    expectHere(reasonOf(await late.stop())).toContain("make restart");
    expectHere(await late.stop({}, 600)).toEqual(SILENCE);
  });

  test.concurrent("with neither, the stop passes", async ({ expect: expectHere }) => {
    const { stop, home } = await stageScenario({ ...daemon, turn: null }, "claude");
    expectHere(await stop()).toEqual(SILENCE);
    expectHere(await reasonsIn(home)).toEqual(["pass: no-prompt-time"]);
  });
});

describe("sessions do not mix", () => {
  test.concurrent("two sessions in one folder are each blocked once, for their own files", async ({
    expect: expectHere,
  }) => {
    const one = await stageScenario(
      { ...generic, committed: [...generic.committed, "src/other.ts"], modified: ["src/server.ts", "src/other.ts"] },
      "claude",
    );
    await one.prompt();
    const reason = reasonOf(await one.stop()) ?? "";
    expectHere(reason).toContain("`src/server.ts`");
    expectHere(reason).not.toContain("src/other.ts");
    const transcript = join(one.project, "..", "other.jsonl");
    const first = readFileSync(join(one.project, "..", "session.jsonl"), "utf8");
    writeFileSync(
      transcript,
      first.replaceAll("src/server.ts", "src/other.ts").replaceAll(one.facts.sessionId, "other"),
    );
    const second = reasonOf(await one.stop({ session_id: "other", transcript_path: transcript })) ?? "";
    expectHere(second).toContain("`src/other.ts`");
    expectHere(second).not.toContain("src/server.ts");
    expectHere(await one.stop({}, 60)).toEqual(SILENCE);
  });

  test.concurrent("the same session id of another agent is another session", async ({ expect: expectHere }) => {
    const claude = await stageScenario(daemon, "claude");
    const gemini = await stageScenario(daemon, "gemini");
    await claude.prompt();
    await claude.stop();
    await gemini.prompt();
    expectHere(reasonOf(await gemini.stop({ session_id: claude.facts.sessionId }))).not.toBeNull();
  });
});

describe("the project", () => {
  test.concurrent.for(["claude", "gemini"] as const)(
    "%s: is where the agent was started, not where it has gone",
    async (agent, { expect: expectHere }) => {
      const { prompt, stop } = await stageScenario(daemon, agent);
      await prompt();
      expectHere(reasonOf(await stop({ cwd: "/" }))).toContain("make restart");
    },
  );
});

describe("the working slug", () => {
  const planned = loadScenario("edited-unread-and-wide");

  test.concurrent("of the session's record goes before the environment's", async ({ expect: expectHere }) => {
    const { prompt, stop, home, facts } = await stageScenario({ ...planned, slug: "another" }, "claude");
    await prompt();
    const opened = await openStore(home);
    if (!opened.ok) throw new Error(opened.detail);
    await opened.store.sessions.update("claude", facts.sessionId, { workingSlug: "retry" });
    await opened.store.close();
    expectHere(reasonOf(await stop())).toContain("None of the changed files is in the plan of `retry`");
  });

  test.concurrent("with a path in it is refused, with a line in the log", async ({ expect: expectHere }) => {
    const { prompt, stop, home } = await stageScenario({ ...planned, slug: "x/../retry" }, "claude");
    await prompt();
    expectHere(reasonOf(await stop())).not.toContain("in the plan of");
    expectHere(readFileSync(join(home, "checkpoint.log"), "utf8")).toContain("slug-refused slug=x/../retry");
  });
});

describe("the generic preset", () => {
  /** Sends events at seconds from now, so that the times of real files count. */
  const clocked = async (scenario: Scenario) => {
    const { home, facts, project } = await stageScenario(scenario, "claude");
    const now = Date.now();
    const send = (event: object, seconds: number) => {
      const at = new Date(now + seconds * 1000).toISOString();
      const common = {
        session_id: facts.sessionId,
        prompt_id: facts.promptId,
        transcript_path: join(project, "..", "session.jsonl"),
      };
      const env = { CHECKPOINT_HOME: home, CLAUDE_PROJECT_DIR: project, CHECKPOINT_NOW: at };
      return callHook({ agent: "claude", event: { ...common, ...event }, env });
    };
    const prompt = (seconds: number, changes: object = {}) =>
      send({ hook_event_name: "UserPromptSubmit", prompt: "Go on", ...changes }, seconds);
    const stop = (seconds: number, changes: object = {}) => send({ hook_event_name: "Stop", ...changes }, seconds);
    return { home, prompt, stop };
  };

  test.concurrent("is silent when nothing changed since this session's last stop", async ({ expect: expectHere }) => {
    const { home, prompt, stop } = await clocked(generic);
    await prompt(-60);
    expectHere(reasonOf(await stop(1))).toContain("Run targeted tests");
    await prompt(60, { prompt_id: "second", prompt: "Thanks. Why?" });
    expectHere(await stop(120, { prompt_id: "second" })).toEqual(SILENCE);
    expectHere(await reasonsIn(home)).toEqual(["block: missing-actions", "pass: unchanged"]);
  });

  test.concurrent("judges what an earlier stop of the same turn left open", async ({ expect: expectHere }) => {
    const started = { shell: "npm run dev", output: "Command running in background with ID: 10db6e551." };
    const { home, prompt, stop } = await clocked({ ...generic, turn: [...(generic.turn ?? []), started] });
    await prompt(-60);
    const { background_tasks } = recordedEvent("claude/stop-background-task-running");
    expectHere(await stop(1, { background_tasks })).toEqual(SILENCE);
    expectHere(reasonOf(await stop(300))).toContain("Run targeted tests");
    expectHere(await reasonsIn(home)).toEqual(["pass: background-tasks", "block: missing-actions"]);
  });

  test.concurrent("is silent where the session keeps no transcript: what was done is not known", async ({
    expect: expectHere,
  }) => {
    const { prompt, stop, home } = await stageScenario({ ...generic, turn: null }, "claude");
    await prompt();
    expectHere(await stop()).toEqual(SILENCE);
    expectHere(await reasonsIn(home)).toEqual(["pass: no-transcript"]);
  });

  test.concurrent("with a transcript that cannot be read looks at what differs from the session's first prompt", async ({
    expect: expectHere,
  }) => {
    const { prompt, stop, project } = await stageScenario(
      { ...generic, committed: [...generic.committed, "src/mine.ts"], turn: null },
      "claude",
    );
    writeFileSync(join(project, "..", "session.jsonl"), "");
    await prompt();
    expectHere(await stop()).toEqual(SILENCE);
    writeFileSync(join(project, "src/mine.ts"), "by the agent\n");
    const reason = reasonOf(await stop({ prompt_id: "x" }, 5)) ?? "";
    expectHere(reason).toContain("src/mine.ts");
    expectHere(reason).not.toContain("src/server.ts");
  });
});

test.concurrent("claude: waits for the last message to reach the transcript", async ({ expect: expectHere }) => {
  const { prompt, stop, project } = await stageScenario(loadScenario("everything-done"), "claude");
  await prompt();
  const transcript = join(project, "..", "session.jsonl");
  const lines = readFileSync(transcript, "utf8").trimEnd().split("\n");
  writeFileSync(transcript, `${lines.slice(0, -3).join("\n")}\n`);
  const answer = stop();
  await sleep(150);
  appendFileSync(transcript, `${lines.slice(-3).join("\n")}\n`);
  expectHere(reasonOf(await answer)).toContain("All expected validations were observed.");
});
