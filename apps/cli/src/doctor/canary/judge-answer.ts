import type { Canary } from "@agent-checkpoint/agents";
import { MESSAGE_PREFIX } from "@agent-checkpoint/composer";
import { isRecord } from "@agent-checkpoint/files";
import type { CommandAnswer } from "./call-command.ts";
import { CANARY_STEP } from "./stage-canary.ts";

/** What is wrong with an answer, and what to do; null for the fix if the log tells. */
export interface WrongAnswer {
  readonly what: string;
  readonly fix: string | null;
  /** Whether the hook blocks all the same. */
  readonly isHarmless?: true;
}

/** Judges the answer to a stop that has to be blocked; null if nothing is wrong with it. */
export function judgeBlock(answer: CommandAnswer, { blocks }: Pick<Canary, "blocks">): WrongAnswer | null {
  const unfinished = ENDS[answer.end](answer);
  if (unfinished !== null) return unfinished;
  const stdout = answer.stdout.trim();
  if (stdout === "" || stdout === "{}") return { what: "let a stop pass that has to be blocked", fix: SEE_LOG };
  const parsed = parseObject(stdout);
  if (parsed === null)
    return { what: `printed something else than one JSON object: ${excerpt(stdout)}`, fix: ONE_OBJECT };
  const { decision, reason } = parsed;
  if (decision !== blocks) {
    const found = excerpt(JSON.stringify(decision) ?? "none");
    return { what: `answered with the decision ${found}, not "${blocks}"`, fix: RUN_INIT };
  }
  if (typeof reason !== "string" || !reason.startsWith(MESSAGE_PREFIX))
    return { what: `blocked with words that are not ours: ${excerpt(String(reason))}`, fix: RUN_INIT };
  if (reason.includes(CANARY_STEP)) return null;
  const said = excerpt(reason.slice(MESSAGE_PREFIX.length));
  return { what: `blocked, but without having seen what changed: ${said}`, fix: SEE_LOG, isHarmless: true };
}

/** Judges the answer to an event that has to pass: a stop that was blocked before, or a prompt. */
export function judgePass(answer: CommandAnswer, event: string): WrongAnswer | null {
  const unfinished = ENDS[answer.end](answer);
  if (unfinished !== null) return unfinished;
  const stdout = answer.stdout.trim();
  if (stdout === "" || stdout === "{}") return null;
  if (parseObject(stdout)?.["decision"] !== undefined)
    return { what: `blocked ${event}: an agent would be trapped`, fix: RUN_INIT };
  return { what: `printed at ${event}, where it must be silent: ${excerpt(stdout)}`, fix: ONE_OBJECT };
}

const RUN_INIT = "Register it anew: checkpoint init";
const SEE_LOG = null;
const ONE_OBJECT = "Take out of the command (or its wrapper) whatever else prints to stdout; agents drop the answer.";

/** What is wrong with how a command ended, before its answer is examined. */
const ENDS: Readonly<Record<CommandAnswer["end"], (answer: CommandAnswer) => WrongAnswer | null>> = {
  "not-started": (answer) => ({
    what: `could not be started: ${outputOf(answer)}`,
    fix: "Install the shell that the agent runs its hooks in.",
  }),
  "timed-out": ({ durationMs }) => ({
    what: `did not answer within ${seconds(durationMs)}: the agent gives up and goes on`,
    fix: "Run the command by hand; if it is a wrapper, let it call checkpoint-hook and nothing else.",
  }),
  flooded: () => ({ what: "printed more than a megabyte and was ended", fix: ONE_OBJECT }),
  "held-open": () => ({
    what: "ended, but something it started keeps its output open: the agent drops the answer",
    fix: "Start nothing in the background in the command, or send its output to /dev/null.",
  }),
  exited: (answer) => {
    if (answer.exitCode === 0) return null;
    const output = outputOf(answer);
    return { what: `ended with exit code ${answer.exitCode}${output && `: ${output}`}`, fix: RUN_INIT };
  },
};

function outputOf({ stdout, stderr }: CommandAnswer): string {
  return excerpt(stderr.trim() || stdout.trim());
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const MAX_SHOWN = 100;

/** The first line, not too long. */
function excerpt(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${Math.round(milliseconds / 1000)} s`;
}
