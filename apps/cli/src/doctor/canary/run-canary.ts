import type { AgentName } from "@agent-checkpoint/transcript";
import { median } from "../median.ts";
import { callCommand, type CommandAnswer } from "./call-command.ts";
import { CANARY_AGENTS, CANARY_MARK, type CanaryTurn } from "./canary-agent.ts";
import { type AnswerVerdict, judgeBlock, judgePass } from "./judge-answer.ts";
import type { CanaryStage } from "./stage-canary.ts";

/** What a canary is sent through. */
export interface CanaryInput {
  readonly agent: AgentName;
  /** The command that is registered for stops, and the one for prompts. */
  readonly stopCommand: string;
  readonly promptCommand: string | null;
  readonly stage: CanaryStage;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly now: () => Date;
}

/** What came of a canary. */
export interface CanaryOutcome {
  /** The first thing that went wrong; what comes after it is not tried. */
  readonly verdict: AnswerVerdict;
  /** The session that was made up, to look for in the store. */
  readonly sessionId: string;
}

/** Sends a made-up turn through a registered command: a prompt, a stop that has to be blocked, and the same stop again. */
export async function runCanary(input: CanaryInput): Promise<CanaryOutcome> {
  const { agent, stopCommand, promptCommand, stage, now } = input;
  const speaker = CANARY_AGENTS[agent];
  const turn = stage.newTurn(agent, now());
  const stop = (isRepeated: boolean) => send(input, stopCommand, turn, speaker.stopEvent(turn, isRepeated));
  const steps: readonly (() => Promise<AnswerVerdict>)[] = [
    async () =>
      promptCommand === null
        ? { ok: true }
        : judgePass(await send(input, promptCommand, turn, speaker.promptEvent(turn)), "a prompt"),
    async () => judgeBlock(await stop(false), speaker),
    // An agent may say of a stop that was blocked before that it was not; our own record counts.
    async () => judgePass(await stop(false), "the same stop twice"),
    async () => judgePass(await stop(true), "a stop that the agent says was blocked before"),
  ];
  for (const step of steps) {
    const verdict = await step();
    if (!verdict.ok) return { verdict, sessionId: turn.sessionId };
  }
  return { verdict: { ok: true }, sessionId: turn.sessionId };
}

const MEASURED_STOPS = 3;

/** How many milliseconds a judged stop takes: the median of a few, one after another. */
export async function measureStop(input: CanaryInput): Promise<number> {
  const durations: number[] = [];
  for (let run = 0; run < MEASURED_STOPS; run += 1) {
    const turn = input.stage.newTurn(input.agent, input.now());
    const event = CANARY_AGENTS[input.agent].stopEvent(turn, false);
    durations.push((await send(input, input.stopCommand, turn, event)).durationMs);
  }
  return median(durations);
}

/** Variables of an agent in whose shell the doctor itself may be running. */
const OF_AGENTS =
  /^(?:CLAUDE_PROJECT_DIR|CLAUDE_CODE_|CLAUDECODE$|GEMINI_(?:SESSION_ID|PROJECT_DIR|CWD|PLANS_DIR|CLI)$)/;

function send(
  { agent, env, timeoutMs, stage }: CanaryInput,
  command: string,
  turn: CanaryTurn,
  event: object,
): Promise<CommandAnswer> {
  const { shell, environment } = CANARY_AGENTS[agent];
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !OF_AGENTS.test(name)));
  return callCommand({
    shell,
    command,
    input: `${JSON.stringify({ ...event, ...CANARY_MARK })}\n`,
    cwd: stage.project,
    env: { ...own, ...environment(turn) },
    timeoutMs,
  });
}
