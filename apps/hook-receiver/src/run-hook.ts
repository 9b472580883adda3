import { lstatSync, realpathSync } from "node:fs";
import { dirname, sep } from "node:path";
import { callerOf, type HookEvent, isCanary, type Payload, type ToolEvent, WIRES } from "@agent-checkpoint/agents/wire";
import type { Outcome } from "@agent-checkpoint/composer";
import { notePrompt, opensTurn, syncBeside } from "@agent-checkpoint/composer/gate";
import { checkpointHome } from "@agent-checkpoint/files";
import type { Store } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";
import { handleStop, type HookPlace, type StopCall, withStore } from "./handle-stop.ts";
import { handleTool } from "./handle-tool.ts";

/** What the program was started with. */
export interface HookCall {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: string;
  /** Sends the answer; called at most once, before what can wait is done. */
  readonly answer: (text: string) => void;
  /** Whether the process ends right after; false by default. */
  readonly isLast?: boolean;
}

/** How an event ended. */
export interface HookOutcome extends Outcome {
  /** Whether the answer was more than to let the agent go on. */
  readonly isAnswered: boolean;
}

/** Handles one event of an agent: parses it, and answers with at most one JSON object. */
export async function runHook({ argv, env, stdin, answer, isLast = false }: HookCall): Promise<HookOutcome> {
  const registeredFor = agentOf(argv);
  if (registeredFor === null)
    return refuse(`--agent should be one of ${Object.keys(WIRES).join(", ")}; found ${argv.join(" ") || "nothing"}`);
  const payload = parsePayload(stdin);
  if (payload === null) return refuse("stdin held no JSON object");
  const agent = callerOf(registeredFor, payload, env);
  if (agent === null) return { problem: null, isAnswered: false };
  const wire = WIRES[agent];
  const parsed = wire.parse(payload, env);
  if (!parsed.ok) return refuse(parsed.detail);
  const overlong = findOverlong(parsed.event);
  if (overlong !== undefined) return refuse(`${overlong}: longer than any path or id`);
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
  const { problem } =
    event.type === "tool"
      ? await handleTool(event, { ...place, env }, (message) => say(wire.deny(message)))
      : await handle(event, place, {
          block: (message, extras) => say(wire.block(message, extras)),
          tell: (extras) => say(wire.tell(extras)),
          env,
          payload,
        });
  if (!isAnswered && wire.pass !== null) answer(toLine(wire.pass));
  return { problem, isAnswered };
}

function refuse(problem: string): HookOutcome {
  return { problem, isAnswered: false };
}

async function handle(event: Exclude<HookEvent, ToolEvent>, place: HookPlace, call: StopCall): Promise<Outcome> {
  if (event.type === "stop") return handleStop(event, place, call);
  // A canary's prompt opens no turn.
  if (event.type === "prompt" && place.isCanary !== true && opensTurn(event))
    return withStore(place, async (store) => {
      const outcome = await notePrompt(event, place, store);
      if (place.isLast) {
        await settleBeside(store, place, call.env);
        await syncBeside(store, place.home, call.env);
      }
      return outcome;
    });
  if (event.type === "compaction") {
    const { handleCompaction } = await import("./handle-compaction.ts");
    return handleCompaction(event, place, call);
  }
  return { problem: null };
}

/** At a prompt nobody waits for a stop, and the turns before it are over: what became of their blocks is looked up. */
async function settleBeside({ outcomes }: Store, { now }: HookPlace, env: NodeJS.ProcessEnv): Promise<void> {
  if (!(await outcomes.claimSettling())) return;
  const { startSettling } = await import("./run-save-worker.ts");
  startSettling(now, env);
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** The program has one option; Node's own parser of options takes a millisecond to load. */
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

/** As long as a path may be on Linux. */
const MAX_LENGTH = 4096;
const MAX_FOLDERS = 200;

/** What people and agents wrote, which only the size of the event limits, and what is cut off instead. */
const TEXTS: ReadonlySet<string> = new Set(["text", "promptText", "lastMessage", "transcriptPath"]);

/** The field of an event that no path or id is as long as: every folder of a path is looked at, and every id is stored. */
function findOverlong(event: HookEvent): string | undefined {
  const fields: readonly (readonly [string, unknown])[] = [
    ...Object.entries(event).filter(([name]) => !TEXTS.has(name)),
    ...(event.type === "tool" && event.target?.kind === "files"
      ? event.target.files.map((file) => ["file", file] as const)
      : []),
  ];
  const [field] =
    fields.find(
      ([, value]) =>
        typeof value === "string" &&
        (value.length > MAX_LENGTH || value.split(sep, MAX_FOLDERS + 1).length > MAX_FOLDERS),
    ) ?? [];
  return field;
}

/** An event whose transcript is a link out of its folder counts as one without a transcript: nothing else is read instead. */
function confineTranscript(event: HookEvent): HookEvent {
  if (!("transcriptPath" in event) || event.transcriptPath === null) return event;
  // One character too many, so that it stays a name that is too long.
  const path = event.transcriptPath.slice(0, MAX_LENGTH + 1);
  return { ...event, transcriptPath: leadsOut(path) ? null : path };
}

function leadsOut(path: string): boolean {
  try {
    // At a session's first prompt there is none yet; an exception would only take time.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return false;
    return !realpathSync(path).startsWith(`${realpathSync(dirname(path))}${sep}`);
  } catch {
    // The reader of the transcript says why it cannot be read.
    return false;
  }
}

/** The present, unless a test or a replay fixes it. */
function clock(env: NodeJS.ProcessEnv): Date {
  const fixed = new Date(env["CHECKPOINT_NOW"] ?? "");
  return Number.isNaN(fixed.getTime()) ? new Date() : fixed;
}
