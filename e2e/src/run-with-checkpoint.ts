import { join } from "node:path";
import type { Stop } from "@agent-checkpoint/store";
import { type HookAgent, VOICES } from "./agent-voices.ts";
import { CHECKPOINT_HOME, checkpoint } from "./checkpoint-program.ts";
import type { CliRun, CliRunOptions } from "./cli-run.ts";
import { heardTexts } from "./heard-texts.ts";
import { readStops } from "./read-stops.ts";
import { RUN_CLI } from "./run-cli.ts";
import { INSIDE, type Sandbox } from "./sandbox.ts";

/** A run with our hook registered: the model's requests at each turn, and the store's record of each stop. */
export interface CheckedRun extends CliRun {
  /** The user messages of each request to the model, side requests left out. */
  readonly heard: readonly (readonly string[])[];
  /** The recorded stops, in order. */
  readonly stops: readonly Stop[];
}

/** Runs an agent's CLI with the hooks that `checkpoint init` registers, unless they are set up in another way. */
export async function runWithCheckpoint(
  agent: HookAgent,
  sandbox: Sandbox,
  options: CliRunOptions,
): Promise<CheckedRun> {
  const run = await RUN_CLI[agent](sandbox, {
    ...options,
    args: options.args ?? VOICES[agent].args,
    setUp: options.setUp ?? (() => checkpoint(sandbox, "init", "--agent", agent, "--no-config", "--yes")),
    env: { ...options.env, CHECKPOINT_HOME: `${INSIDE.home}/${CHECKPOINT_HOME}` },
  });
  return {
    ...run,
    heard: heardTexts(agent, run.modelRequests),
    stops: await readStops(join(sandbox.home, CHECKPOINT_HOME)),
  };
}
