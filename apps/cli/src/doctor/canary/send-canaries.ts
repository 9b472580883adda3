import { existsSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";
import type { AgentCase, OwnHook, SentCanary } from "../agents/agent-case.ts";
import { readLogFaults } from "../machine/read-log-faults.ts";
import type { Machine } from "../machine/machine.ts";
import { type CanaryInput, measureStop, runCanary } from "./run-canary.ts";
import { type CanaryStage, stageCanary } from "./stage-canary.ts";

/** What the canaries of an agent came to. */
export type SentCanaries = Pick<AgentCase, "canaries" | "canaryProblem">;

/** An agent whose hooks are to be tried. */
export type Tried = Pick<AgentCase, "settings" | "hooks">;

const MOST_COMMANDS = 4;
const MOST_WAIT_MS = 10_000;

/** Sends canaries through every command that is registered for stops. */
export async function sendCanaries(agents: readonly Tried[], machine: Machine): Promise<readonly SentCanaries[]> {
  const none = (canaryProblem: string | null) => agents.map(() => ({ canaries: [], canaryProblem }));
  const hooks = agents.flatMap((agent) => agent.hooks);
  if (hooks.length === 0) return none(null);
  const problem = storeProblem(machine);
  if (problem !== null) return none(problem);
  let stage: CanaryStage;
  try {
    stage = await stageCanary({ env: machine.env, nodeModules: nodeModulesFor(hooks, machine.root) });
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split("\n");
    return none(`the scratch repository could not be made (${line})`);
  }
  try {
    const sent = await Promise.all(agents.map((agent) => sendFor(agent, machine, stage)));
    const measured: SentCanaries[] = [];
    // One after another, so that each has the machine to itself.
    for (const canaries of sent) measured.push({ canaries: await measureAll(canaries), canaryProblem: null });
    return measured;
  } finally {
    stage.remove();
  }
}

/** A project's command finds our program in the project's own `node_modules`. */
function nodeModulesFor(hooks: readonly OwnHook[], root: string): string | null {
  const folder = join(root, "node_modules");
  return hooks.some(({ scope }) => scope === "project") && existsSync(folder) ? folder : null;
}

/** A hook finds a broken store out by setting it aside; the doctor only looks. */
function storeProblem({ store: { inspection, contents } }: Machine): string | null {
  const isUsable =
    inspection.status === "absent" || (inspection.status === "readable" && contents !== null && !("fault" in contents));
  return isUsable ? null : "the store cannot be used";
}

/** A canary with what it was sent by. */
interface Sending extends SentCanary {
  readonly input: CanaryInput;
}

async function sendFor({ hooks, settings }: Tried, machine: Machine, stage: CanaryStage): Promise<readonly Sending[]> {
  const stops = hooks.filter((hook) => hook.kind === "stop" && !isGone(hook));
  const distinct = [...new Map(stops.map((hook) => [hook.command, hook])).values()].slice(0, MOST_COMMANDS);
  return Promise.all(
    distinct.map(async (hook): Promise<Sending> => {
      const input: CanaryInput = {
        agent: settings.agent,
        stopCommand: hook.command,
        promptCommand: hooks.find(({ kind, file }) => kind === "prompt" && file === hook.file)?.command ?? null,
        stage,
        env: { ...machine.env, HOME: machine.userHome },
        timeoutMs: Math.min(MOST_WAIT_MS, timeoutOf(hook, settings.timeout.unit)),
        now: machine.now,
      };
      const startedAt = machine.now();
      const outcome = await runCanary(input);
      const { latest = null } = readLogFaults(join(machine.home, "checkpoint.log"), machine.now()) ?? {};
      return {
        input,
        hook,
        outcome,
        stopMs: null,
        isRecorded: outcome.verdict.ok ? await isRecorded(machine.home, settings.agent, outcome.sessionId) : null,
        logged: latest !== null && latest.at >= startedAt ? latest.text : null,
      };
    }),
  );
}

/** A guarded command passes everything when what it names is gone; that it is gone is told already. */
function isGone({ call }: OwnHook): boolean {
  return [call?.node, call?.program].some((path) => typeof path === "string" && !existsSync(path));
}

/** Only what works is worth measuring. */
async function measureAll(canaries: readonly Sending[]): Promise<readonly SentCanary[]> {
  const measured: SentCanary[] = [];
  for (const { input, ...canary } of canaries)
    measured.push({ ...canary, stopMs: canary.outcome.verdict.ok ? await measureStop(input) : null });
  return measured;
}

/** The agent's own patience, as far as the settings tell. */
function timeoutOf({ timeout }: OwnHook, unit: "seconds" | "milliseconds"): number {
  if (typeof timeout !== "number" || timeout <= 0) return MOST_WAIT_MS;
  return unit === "seconds" ? timeout * 1000 : timeout;
}

async function isRecorded(home: string, agent: AgentName, sessionId: string): Promise<boolean | null> {
  const opened = await openStore(home);
  if (!opened.ok) return null;
  try {
    return (await opened.store.stops.list({ agent, sessionId, isCanary: true, limit: 1 })).length > 0;
  } finally {
    await opened.store.close();
  }
}
