import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore, type Stop } from "@agent-checkpoint/store";
import { type HookAgent, VOICES } from "./agent-voices.ts";
import type { CliRun, CliRunOptions } from "./cli-run.ts";
import { FAKE_MODELS } from "./fake-models/fake-models.ts";
import { RUN_CLI } from "./run-cli.ts";
import { INSIDE, type Sandbox } from "./sandbox.ts";

/** A run with our hook registered: what the model was told at each turn, and what the store says of each stop. */
export interface CheckedRun extends CliRun {
  /** The user messages of each request to the model, side requests left out. */
  readonly heard: readonly (readonly string[])[];
  /** The recorded stops, in order. */
  readonly stops: readonly Stop[];
}

const PROGRAM = fileURLToPath(new URL("../../apps/hook-receiver/dist/checkpoint-hook.cjs", import.meta.url));
const CHECKPOINT_HOME = ".checkpoint";

/** Runs an agent's CLI with the built `checkpoint-hook` at the start and the end of its turns. */
export async function runWithCheckpoint(
  agent: HookAgent,
  sandbox: Sandbox,
  options: CliRunOptions,
): Promise<CheckedRun> {
  const command = `'${process.execPath}' '${PROGRAM}' --agent ${agent}`;
  const run = await RUN_CLI[agent](sandbox, {
    ...options,
    hooks: VOICES[agent].events.map((event) => ({ event, command })),
    env: { ...options.env, CHECKPOINT_HOME: `${INSIDE.home}/${CHECKPOINT_HOME}` },
  });
  const heard = run.modelRequests
    .map((request) => FAKE_MODELS[agent].classify(request))
    .flatMap((seen) => (seen.kind === "turn" ? [seen.userTexts] : []));
  return { ...run, heard, stops: await readStops(join(sandbox.home, CHECKPOINT_HOME)) };
}

async function readStops(home: string): Promise<readonly Stop[]> {
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(`The run left no readable store: ${opened.reason}, ${opened.detail}`);
  try {
    await opened.store.foldJournal();
    const stops = await opened.store.listStops({});
    return stops.toReversed();
  } finally {
    await opened.store.close();
  }
}
