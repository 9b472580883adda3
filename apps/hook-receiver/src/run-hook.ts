import { type HookEvent, isCanary, type Payload, type ToolEvent, WIRES } from "@agent-checkpoint/agents/wire";
import { checkpointHome } from "@agent-checkpoint/files";
import type { Outcome } from "@agent-checkpoint/gate";
import type { AgentName } from "@agent-checkpoint/transcript";
import { confineTranscript } from "./confine-transcript.ts";
import { handlePrompt } from "./handle-prompt.ts";
import { handleStop, type StopCall } from "./handle-stop.ts";
import { handleTool } from "./handle-tool.ts";
import type { Handled } from "./handled.ts";
import type { HookPlace } from "./hook-place.ts";

/** What the program was started with. */
export interface HookCall {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: string;
  /** Sends the answer; called at most once, before what can wait is done. */
  readonly answer: (text: string) => void;
  /** Whether the process ends right after; false unless given. */
  readonly isLast?: boolean;
}

/** What came of an event, and which use of the program that was; null where it was none. */
export interface HookOutcome extends Outcome {
  readonly use: string | null;
}

/** One event of an agent: parsed, handled, answered with at most one JSON object. */
export async function runHook({ argv, env, stdin, answer, isLast = false }: HookCall): Promise<HookOutcome> {
  const agent = agentOf(argv);
  if (agent === null)
    return {
      problem: `--agent should be one of ${Object.keys(WIRES).join(", ")}; found ${argv.join(" ") || "nothing"}`,
      use: null,
    };
  const payload = parsePayload(stdin);
  if (payload === null) return { problem: "stdin held no JSON object", use: null };
  const wire = WIRES[agent];
  const parsed = wire.parse(payload, env);
  if (!parsed.ok) return { problem: parsed.detail, use: null };
  const place: HookPlace = {
    agent,
    home: checkpointHome(env),
    now: clock(env),
    workingSlug: env["CHECKPOINT_WORKING_SLUG"] || null,
    route: "hook",
    isCanary: isCanary(payload),
    isLast,
  };
  let isAnswered = false;
  const say = (value: object) => {
    isAnswered = true;
    answer(toLine(value));
  };
  const event = confineTranscript(parsed.event);
  const outcome: Handled =
    event.type === "tool"
      ? await handleTool(event, { ...place, env }, (message) => say(wire.deny(message)))
      : await handle(event, place, {
          block: (message, extras) => say(wire.block(message, extras)),
          tell: (extras) => say(wire.tell(extras)),
          env,
          payload,
        });
  if (!isAnswered && wire.pass !== null) answer(toLine(wire.pass));
  const { problem, hasConfig = false } = outcome;
  return {
    problem,
    use: `${agent} ${event.type}${isAnswered ? ", answered" : ""}${hasConfig ? ", with a config" : ""}`,
  };
}

async function handle(event: Exclude<HookEvent, ToolEvent>, place: HookPlace, call: StopCall): Promise<Handled> {
  if (event.type === "stop") return handleStop(event, place, call);
  if (event.type === "prompt") return handlePrompt(event, place);
  if (event.type === "compaction") {
    const { handleCompaction } = await import("./handle-compaction.ts");
    return handleCompaction(event, place, call);
  }
  return { problem: null };
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** The program has one option; Node's own reader of options takes a millisecond to load. */
function agentOf(argv: readonly string[]): AgentName | null {
  const at = argv.indexOf("--agent");
  const given = at === -1 ? argv.find((word) => word.startsWith("--agent="))?.slice("--agent=".length) : argv[at + 1];
  return given !== undefined && Object.hasOwn(WIRES, given) ? (given as AgentName) : null;
}

function parsePayload(text: string): Payload | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Payload) : null;
  } catch {
    return null;
  }
}

/** The present, unless a test or a replay fixes it. */
function clock(env: NodeJS.ProcessEnv): Date {
  const fixed = new Date(env["CHECKPOINT_NOW"] ?? "");
  return Number.isNaN(fixed.getTime()) ? new Date() : fixed;
}
