import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Agent, type CanaryTurn, withoutAgentVariables } from "@agent-checkpoint/agents";
import { CANARY_MARK } from "@agent-checkpoint/agents/wire";
import { errorMessage } from "@agent-checkpoint/files";
import { openStore } from "@agent-checkpoint/store";
import { execa } from "execa";
import type { ExaminedAgent, OwnHook } from "./examine-agents.ts";
import { callCommand, type CommandAnswer } from "./canary/call-command.ts";
import { judgeBlock, judgePass, type WrongAnswer } from "./canary/judge-answer.ts";
import { type CanaryStage, stageCanary } from "./canary/stage-canary.ts";
import { type Machine, readLogFaults } from "./machine-checks.ts";

export interface Canaries {
  /** One for each command that is registered for stops. */
  readonly sent: readonly SentCanary[];
  /** Why none could be sent; null if they could, or there was no command. */
  readonly problem: string | null;
}

/** A canary, and the hook that it went through. */
export interface SentCanary {
  readonly agent: Agent;
  readonly hook: OwnHook;
  /** The first thing that went wrong, after which nothing else was tried; null if nothing did. */
  readonly wrong: WrongAnswer | null;
  /** How long a judged stop takes; null if it was not measured. */
  readonly stopMs: number | null;
  /** Whether its rows were found in the store; null if that could not be looked up. */
  readonly isRecorded: boolean | null;
  /** What the log says of it; null if it says nothing. */
  readonly logged: string | null;
}

const MAX_COMMANDS = 4;
const MAX_WAIT_MS = 10_000;

/** Sends canaries through every command that is registered for stops. */
export async function sendCanaries(agents: readonly ExaminedAgent[], machine: Machine): Promise<Canaries> {
  const none = (problem: string | null) => ({ sent: [], problem });
  const hooks = agents.flatMap((examined) => examined.hooks);
  if (hooks.length === 0) return none(null);
  const { inspection, contents } = machine.store;
  // A hook sets a broken store aside; the doctor only looks.
  if (inspection.status !== "absent" && contents === null) return none("the store cannot be used");
  let stage: CanaryStage;
  try {
    stage = await stageCanary({ env: machine.env, nodeModules: nodeModulesFor(hooks, machine.projectRoot) });
  } catch (error) {
    return none(`the scratch repository could not be created (${errorMessage(error).split("\n")[0]})`);
  }
  try {
    const routes = agents.flatMap((examined) => routesOf(examined, machine, stage));
    const tried = await Promise.all(routes.map(async (route) => ({ route, canary: await trySending(route) })));
    const sent: SentCanary[] = [];
    // Only what works is worth measuring, one after another, so that each has the machine to itself.
    for (const { route, canary } of tried)
      sent.push({ ...canary, stopMs: canary.wrong === null ? await medianMs(() => measureStop(route)) : null });
    return { sent, problem: null };
  } finally {
    stage.remove();
  }
}

/** A project's command finds our program in the project's own `node_modules`. */
function nodeModulesFor(hooks: readonly OwnHook[], root: string): string | null {
  const folder = join(root, "node_modules");
  return hooks.some(({ scope }) => scope === "project") && existsSync(folder) ? folder : null;
}

/** What a canary is sent through. */
interface CanaryRoute {
  readonly agent: Agent;
  readonly hook: OwnHook;
  readonly promptCommand: string | null;
  readonly machine: Machine;
  readonly stage: CanaryStage;
}

function routesOf({ hooks, agent }: ExaminedAgent, machine: Machine, stage: CanaryStage): readonly CanaryRoute[] {
  const stops = hooks.filter((hook) => hook.kind === "stop" && !isGone(hook));
  const distinct = new Map(stops.map((hook) => [hook.command, hook]));
  return [...distinct.values()].slice(0, MAX_COMMANDS).map((hook) => {
    const prompt = hooks.find(({ kind, file }) => kind === "prompt" && file === hook.file);
    return { agent, hook, promptCommand: prompt?.command ?? null, machine, stage };
  });
}

/** A guarded command lets everything pass if its program is gone, which another check reports. */
function isGone({ call }: OwnHook): boolean {
  return [call?.node, call?.program].some((path) => typeof path === "string" && !existsSync(path));
}

async function trySending(route: CanaryRoute): Promise<Omit<SentCanary, "stopMs">> {
  const { agent, hook, machine, stage } = route;
  const startedAt = machine.now();
  const turn = stage.newTurn(agent, startedAt);
  const wrong = await runTurn(route, turn);
  const latest = readLogFaults(join(machine.home, "checkpoint.log"), machine.now()).at(-1);
  return {
    agent,
    hook,
    wrong,
    isRecorded: wrong === null ? await isRecorded(machine.home, agent, turn) : null,
    logged: latest !== undefined && latest.at >= startedAt ? latest.text : null,
  };
}

/** Sends a made-up turn through a registered command: a prompt, a stop that has to be blocked, and the same stop again. */
async function runTurn(route: CanaryRoute, turn: CanaryTurn): Promise<WrongAnswer | null> {
  const { promptCommand, hook } = route;
  const { canary } = route.agent;
  const stop = (isRepeated: boolean) => send(route, hook.command, turn, canary.stopEvent(turn, isRepeated));
  const prompted = promptCommand && (await send(route, promptCommand, turn, canary.promptEvent(turn)));
  return (
    (prompted ? judgePass(prompted, "a prompt") : null) ??
    judgeBlock(await stop(false), canary) ??
    // An agent may say of a stop that was blocked before that it was not; our own record counts.
    judgePass(await stop(false), "the same stop twice") ??
    judgePass(await stop(true), "a stop that the agent says was blocked before")
  );
}

function send(
  { agent: { canary, timeout }, hook, machine, stage }: CanaryRoute,
  command: string,
  turn: CanaryTurn,
  event: object,
): Promise<CommandAnswer> {
  return callCommand({
    shell: canary.shell,
    command,
    input: `${JSON.stringify({ ...event, ...CANARY_MARK })}\n`,
    cwd: stage.project,
    // The doctor itself may run in the shell of an agent.
    env: { ...withoutAgentVariables(machine.env), HOME: machine.userHome, ...canary.environment(turn) },
    timeoutMs: Math.min(MAX_WAIT_MS, timeoutOf(hook, timeout.unit)),
  });
}

/** How long the agent itself waits, as far as the settings tell. */
function timeoutOf({ timeout }: OwnHook, unit: Agent["timeout"]["unit"]): number {
  if (typeof timeout !== "number" || timeout <= 0) return MAX_WAIT_MS;
  return unit === "seconds" ? timeout * 1000 : timeout;
}

async function isRecorded(home: string, agent: Agent, { sessionId }: CanaryTurn): Promise<boolean | null> {
  const opened = await openStore(home);
  if (!opened.ok) return null;
  try {
    const stops = await opened.store.stops.list({ agent: agent.name, sessionId, isCanary: true, limit: 1 });
    return stops.length > 0;
  } finally {
    await opened.store.close();
  }
}

async function measureStop(route: CanaryRoute): Promise<number> {
  const { agent, hook, machine, stage } = route;
  const turn = stage.newTurn(agent, machine.now());
  return (await send(route, hook.command, turn, agent.canary.stopEvent(turn, false))).durationMs;
}

/** How many milliseconds a Node takes that does nothing. */
export function measureNodeStart(): Promise<number> {
  return medianMs(async () => {
    const startedAt = performance.now();
    await execa(process.execPath, ["-e", "0"], { stdin: "ignore", timeout: 10_000 });
    return performance.now() - startedAt;
  });
}

/** The median of three measurements, one after another. */
async function medianMs(measure: () => Promise<number>): Promise<number> {
  const [first, second, third] = [await measure(), await measure(), await measure()];
  return [first, second, third].toSorted((a, b) => a - b)[1] ?? first;
}
