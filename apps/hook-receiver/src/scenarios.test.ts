import { existsSync } from "node:fs";
import { loadScenarios, messagePath } from "@agent-checkpoint/fixtures";
import { describe, test } from "vitest";
import { reasonOf } from "./testing/hook-process.ts";
import { PASSES, SCENARIO_AGENTS, stageScenario } from "./testing/stage-scenario.ts";

const scenarios = loadScenarios();

describe.for(SCENARIO_AGENTS)("%s", (agent) => {
  test.concurrent.for(scenarios.filter(({ blocks }) => blocks))(
    "$name: $title",
    async (scenario, { expect: expectHere }) => {
      const staged = await stageScenario(scenario, agent);
      expectHere(await staged.prompt()).toEqual(PASSES[agent]);
      const first = await staged.stop();
      expectHere(first).toMatchObject({ stderr: "", exitCode: 0 });
      await expectHere(`${reasonOf(first)}\n`).toMatchFileSnapshot(messagePath(scenario.name));
      // Whatever the agent's own flag says, and however long it took.
      expectHere(await staged.stop({}, 600)).toEqual(PASSES[agent]);
    },
  );

  test.concurrent.for(scenarios.filter(({ blocks }) => !blocks))(
    "silent: $name: $title",
    async (scenario, { expect: expectHere }) => {
      const staged = await stageScenario(scenario, agent);
      expectHere(await staged.prompt()).toEqual(PASSES[agent]);
      expectHere(await staged.stop()).toEqual(PASSES[agent]);
      expectHere(existsSync(messagePath(scenario.name))).toBe(false);
    },
  );
});
