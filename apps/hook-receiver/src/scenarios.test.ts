import { existsSync } from "node:fs";
import { loadScenarios, messagePath, SCENARIO_AGENTS } from "@agent-checkpoint/fixtures";
import { describe, test } from "vitest";
import { reasonOf } from "./testing/hook-process.ts";
import { passes, stageScenario } from "./testing/stage-scenario.ts";

const scenarios = loadScenarios();

describe.for(SCENARIO_AGENTS)("%s", (agent) => {
  test.concurrent.for(scenarios.filter(({ blocks }) => blocks))(
    "$name: $title",
    async (scenario, { expect: expectHere }) => {
      const staged = await stageScenario(scenario, agent);
      expectHere(await staged.prompt()).toEqual(passes(agent));
      const first = await staged.stop();
      expectHere(first).toMatchObject({ stderr: "", exitCode: 0 });
      await expectHere(`${reasonOf(first)}\n`).toMatchFileSnapshot(messagePath(scenario.name));
      // Whatever the agent's own flag says, and however long it took.
      expectHere(await staged.stop({}, 600)).toEqual(passes(agent));
    },
  );

  test.concurrent.for(scenarios.filter(({ blocks }) => !blocks))(
    "silent: $name: $title",
    async (scenario, { expect: expectHere }) => {
      const staged = await stageScenario(scenario, agent);
      expectHere(await staged.prompt()).toEqual(passes(agent));
      expectHere(await staged.stop()).toEqual(passes(agent));
      expectHere(existsSync(messagePath(scenario.name))).toBe(false);
    },
  );
});
