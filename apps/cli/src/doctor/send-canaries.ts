import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Agent, type CanaryTurn, withoutAgentVariables } from "@agent-checkpoint/agents";
import { CANARY_MARK } from "@agent-checkpoint/agents/wire";
import { openStore } from "@agent-checkpoint/store";
import { execa } from "execa";
import type { ExaminedAgent, OwnHook } from "./agent-case.ts";
import { readLogFaults } from "./log-faults.ts";
import type { Machine } from "./machine-checks.ts";
import { callCommand, type CommandAnswer } from "./canary/call-command.ts";
import { type AnswerVerdict, judgeBlock, judgePass } from "./canary/judge-answer.ts";
import { type CanaryStage, stageCanary } from "./canary/stage-canary.ts";

/** The canaries of an agent. */
export interface SentCanaries {
  /** One for each command that is registered for stops. */
  readonly canaries: readonly SentCanary[];
  /** Why none could be sent; null if they could, or none were asked for. */
  readonly canaryProblem: string | null;
}

/** A canary, and the hook that it went through. */
export interface SentCanary {
  readonly hook: OwnHook;
  /** The first thing that went wrong; what comes after it is not tried. */
  readonly verdict: AnswerVerdict;
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
export async function sendCanaries(
  agents: readonly ExaminedAgent[],
  machine: Machine,
): Promise<readonly SentCanaries[]> {
  const none = (canaryProblem: string | null) => agents.map(() => ({ canaries: [], canaryProblem }));
  const hooks = agents.flatMap((examined) => examined.hooks);
  if (hooks.length === 0) return none(null);
  const { inspection, contents } = machine.store;
  // A hook finds a broken store out by setting it aside; the doctor only looks.
  if (inspection.status !== "absent" && contents === null) return none("the store cannot be used");
  let stage: CanaryStage;
  try {
    stage = await stageCanary({ env: machine.env, nodeModules: nodeModulesFor(hooks, machine.root) });
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split("\n");
    return none(`the scratch repository could not be made (${line})`);
  }
  try {
    const sent = await Promise.all(agents.map((examined) => sendFor(examined, machine, stage)));
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

/** What a canary is sent through. */
interface Sending {
  readonly agent: Agent;
  readonly hook: OwnHook;
  readonly promptCommand: string | null;
  readonly machine: Machine;
  readonly stage: CanaryStage;
}

async function sendFor(
  { hooks, agent }: ExaminedAgent,
  machine: Machine,
  stage: CanaryStage,
): Promise<readonly (SentCanary & { readonly sending: Sending })[]> {
  const stops = hooks.filter((hook) => hook.kind === "stop" && !isGone(hook));
  const distinct = [...new Map(stops.map((hook) => [hook.command, hook])).values()].slice(0, MAX_COMMANDS);
  return Promise.all(
    distinct.map(async (hook) => {
      const promptCommand = hooks.find(({ kind, file }) => kind === "prompt" && file === hook.file)?.command ?? null;
      const sending: Sending = { agent, hook, promptCommand, machine, stage };
      const startedAt = machine.now();
      const turn = stage.newTurn(agent, startedAt);
      const verdict = await runTurn(sending, turn);
      const { latest = null } = readLogFaults(join(machine.home, "checkpoint.log"), machine.now()) ?? {};
      return {
        sending,
        hook,
        verdict,
        stopMs: null,
        isRecorded: verdict.ok ? await isRecorded(machine.home, agent, turn) : null,
        logged: latest !== null && latest.at >= startedAt ? latest.text : null,
      };
    }),
  );
}

/** A guarded command passes everything when what it names is gone; another check says that it is gone. */
function isGone({ call }: OwnHook): boolean {
  return [call?.node, call?.program].some((path) => typeof path === "string" && !existsSync(path));
}

/** Sends a made-up turn through a registered command: a prompt, a stop that has to be blocked, and the same stop again. */
async function runTurn(sending: Sending, turn: CanaryTurn): Promise<AnswerVerdict> {
  const { promptCommand, hook } = sending;
  const { canary } = sending.agent;
  const stop = (isRepeated: boolean) => send(sending, hook.command, turn, canary.stopEvent(turn, isRepeated));
  const steps: readonly (() => Promise<AnswerVerdict>)[] = [
    async () =>
      promptCommand === null
        ? { ok: true }
        : judgePass(await send(sending, promptCommand, turn, canary.promptEvent(turn)), "a prompt"),
    async () => judgeBlock(await stop(false), canary),
    // An agent may say of a stop that was blocked before that it was not; our own record counts.
    async () => judgePass(await stop(false), "the same stop twice"),
    async () => judgePass(await stop(true), "a stop that the agent says was blocked before"),
  ];
  for (const step of steps) {
    const verdict = await step();
    if (!verdict.ok) return verdict;
  }
  return { ok: true };
}

function send(
  { agent: { canary, timeout }, hook, machine, stage }: Sending,
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

/** Only what works is worth measuring. */
async function measureAll(
  canaries: readonly (SentCanary & { readonly sending: Sending })[],
): Promise<readonly SentCanary[]> {
  const measured: SentCanary[] = [];
  for (const { sending, ...canary } of canaries)
    measured.push({ ...canary, stopMs: canary.verdict.ok ? await medianMs(() => measureStop(sending)) : null });
  return measured;
}

/** How many milliseconds one judged stop takes. */
async function measureStop(sending: Sending): Promise<number> {
  const { agent, hook, machine, stage } = sending;
  const turn = stage.newTurn(agent, machine.now());
  return (await send(sending, hook.command, turn, agent.canary.stopEvent(turn, false))).durationMs;
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
