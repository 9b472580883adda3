import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  AGENT_KITS,
  makeRepository,
  PROMPT_AT,
  type Scenario,
  type ScenarioAgent,
  type SessionFacts,
  stopAt,
} from "@agent-checkpoint/fixtures";
import { callHook, type HookAnswer } from "./hook-process.ts";
import { scratchFolder } from "./scratch.ts";

/** What an agent is answered when its stop passes. */
export function passes(agent: ScenarioAgent): HookAnswer {
  return { stdout: AGENT_KITS[agent].pass, stderr: "", exitCode: 0 };
}

/** A scenario as a real repository with a transcript, ready to be stopped. */
export interface StagedScenario {
  readonly project: string;
  readonly home: string;
  readonly facts: SessionFacts;
  /** Sends the prompt event, at the time of the prompt. */
  readonly prompt: () => Promise<HookAnswer>;
  /** Sends the stop event; fields may be changed, and the time moved on by seconds. */
  readonly stop: (changes?: object, later?: number) => Promise<HookAnswer>;
}

/** Lays a scenario out for one agent. */
export async function stageScenario(scenario: Scenario, agent: ScenarioAgent): Promise<StagedScenario> {
  const folder = scratchFolder();
  const project = join(folder, "project");
  const home = join(folder, "home");
  await makeRepository(project, scenario);
  const facts: SessionFacts = {
    sessionId: randomUUID(),
    promptId: randomUUID(),
    prompt: scenario.prompt,
    projectPath: project,
    promptAt: PROMPT_AT,
    lastMessage: "Done, it works.",
  };
  const transcript = join(folder, "session.jsonl");
  if (scenario.turn !== null) writeFileSync(transcript, AGENT_KITS[agent].write(scenario.turn, facts));
  const { prompt, stop, projectVariable } = AGENT_KITS[agent].events(facts, transcript);
  const call = (event: object, at: Date) =>
    callHook({
      agent,
      event,
      env: {
        CHECKPOINT_HOME: home,
        HOME: folder,
        CHECKPOINT_NOW: at.toISOString(),
        [projectVariable]: project,
        ...(scenario.slug !== undefined && { CHECKPOINT_WORKING_SLUG: scenario.slug }),
      },
    });
  return {
    project,
    home,
    facts,
    prompt: () => call(prompt, PROMPT_AT),
    stop: (changes = {}, later = 0) =>
      call({ ...movedOn(stop, later), ...changes }, new Date(stopAt(scenario).getTime() + later * 1000)),
  };
}

/** An event that tells the time tells another one at a later stop. */
function movedOn(event: { readonly timestamp?: unknown }, seconds: number): object {
  if (seconds === 0 || typeof event.timestamp !== "string") return event;
  return { ...event, timestamp: new Date(Date.parse(event.timestamp) + seconds * 1000).toISOString() };
}
