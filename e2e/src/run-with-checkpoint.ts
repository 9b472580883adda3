import { join } from "node:path";
import type { Stop } from "@agent-checkpoint/store";
import { type HookAgent, VOICES } from "./agent-voices.ts";
import type { CliRun, CliRunOptions } from "./cli-run.ts";
import { hookCommand } from "./hook-command.ts";
import { heardTexts } from "./heard-texts.ts";
import { readStops } from "./read-stops.ts";
import { RUN_CLI } from "./run-cli.ts";
import { INSIDE, type Sandbox } from "./sandbox.ts";

/** A run with our hook registered: what the model was told at each turn, and what the store says of each stop. */
export interface CheckedRun extends CliRun {
  /** The user messages of each request to the model, side requests left out. */
  readonly heard: readonly (readonly string[])[];
  /** The recorded stops, in order. */
  readonly stops: readonly Stop[];
}

const CHECKPOINT_HOME = ".checkpoint";

/** Runs an agent's CLI with the built `checkpoint-hook` at the start and the end of its turns. */
export async function runWithCheckpoint(
  agent: HookAgent,
  sandbox: Sandbox,
  options: CliRunOptions,
): Promise<CheckedRun> {
  const command = hookCommand(agent);
  const run = await RUN_CLI[agent](sandbox, {
    ...options,
    args: options.args ?? VOICES[agent].args,
    hooks: VOICES[agent].events.map((event) => ({ event, command })),
    env: { ...options.env, CHECKPOINT_HOME: `${INSIDE.home}/${CHECKPOINT_HOME}` },
  });
  return {
    ...run,
    heard: heardTexts(agent, run.modelRequests),
    stops: await readStops(join(sandbox.home, CHECKPOINT_HOME)),
  };
}
