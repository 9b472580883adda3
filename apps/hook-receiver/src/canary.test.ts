import { AGENT_KITS, loadScenario, SCENARIO_AGENTS } from "@agent-checkpoint/fixtures";
import { openStore } from "@agent-checkpoint/store";
import { test } from "vitest";
import { callHook, reasonOf } from "./testing/hook-process.ts";
import { passes, stageScenario } from "./testing/stage-scenario.ts";

const CANARY = { agent_checkpoint_canary: true };

test.concurrent.for(SCENARIO_AGENTS)(
  "%s: a canary is judged like any other stop, marked, and of no session",
  async (agent, { expect }) => {
    const { stop, home, facts } = await stageScenario(loadScenario("generic-tests-missing"), agent);
    const prompt = { ...AGENT_KITS[agent].events(facts, "").prompt, ...CANARY };
    expect(await callHook({ agent, event: prompt, env: { CHECKPOINT_HOME: home } })).toEqual(passes(agent));
    expect(reasonOf(await stop(CANARY))).toContain("Run targeted tests");
    expect(await stop(CANARY)).toEqual(passes(agent));
    expect(await stop({ ...CANARY, stop_hook_active: true })).toEqual(passes(agent));

    const opened = await openStore(home);
    if (!opened.ok) throw new Error(opened.detail);
    const stops = await opened.store.stops.list({ isCanary: true });
    const [session = null] = await opened.store.sessions.list({ agent, sessionId: facts.sessionId });
    await opened.store.close();
    expect(stops.map(({ reason }) => reason).toSorted()).toEqual([
      "already-blocked",
      "asked-before",
      "missing-actions",
    ]);
    expect(session).toBeNull();
  },
);

test.concurrent("a field of that name with another value marks nothing", async ({ expect }) => {
  const { stop, home, facts } = await stageScenario(loadScenario("generic-tests-missing"), "claude");
  await stop({ agent_checkpoint_canary: "true" });
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  const stops = await opened.store.stops.list({ isCanary: false });
  const [session = null] = await opened.store.sessions.list({ agent: "claude", sessionId: facts.sessionId });
  await opened.store.close();
  expect(stops).toHaveLength(1);
  expect(session).not.toBeNull();
});
