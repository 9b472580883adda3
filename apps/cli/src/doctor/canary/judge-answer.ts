import { MESSAGE_PREFIX } from "@agent-checkpoint/composer";
import type { CommandAnswer } from "./call-command.ts";
import type { CanaryAgent } from "./canary-agent.ts";
import { CANARY_STEP } from "./stage-canary.ts";

/** Whether an answer is the one that was asked for, or what is wrong with it and what to do; null where the log tells. */
export type AnswerVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly what: string; readonly fix: string | null; readonly isHarmless?: true };

/** Judges the answer to a stop that has to be blocked. */
export function judgeBlock(answer: CommandAnswer, { blocks }: Pick<CanaryAgent, "blocks">): AnswerVerdict {
  const unfinished = judgeEnd(answer);
  if (unfinished !== null) return unfinished;
  const stdout = answer.stdout.trim();
  if (stdout === "") return wrong("let a stop pass that has to be blocked", SEE_LOG);
  const parsed = parseObject(stdout);
  if (parsed === null) return wrong(`printed something else than one JSON object: ${excerpt(stdout)}`, ONE_OBJECT);
  const { decision, reason } = parsed;
  if (Object.keys(parsed).length === 0) return wrong("let a stop pass that has to be blocked", SEE_LOG);
  if (decision !== blocks)
    return wrong(
      `answered with the decision ${excerpt(JSON.stringify(decision) ?? "none")}, not "${blocks}"`,
      RUN_INIT,
    );
  if (typeof reason !== "string" || !reason.startsWith(MESSAGE_PREFIX))
    return wrong(`blocked with words that are not ours: ${excerpt(String(reason))}`, RUN_INIT);
  if (!reason.includes(CANARY_STEP)) {
    const said = excerpt(reason.slice(MESSAGE_PREFIX.length));
    return { ...wrong(`blocked, but without having seen what changed: ${said}`, SEE_LOG), isHarmless: true };
  }
  return { ok: true };
}

/** Judges the answer to an event that has to pass: a stop that was blocked before, or a prompt. */
export function judgePass(answer: CommandAnswer, event: string): AnswerVerdict {
  const unfinished = judgeEnd(answer);
  if (unfinished !== null) return unfinished;
  const stdout = answer.stdout.trim();
  if (stdout === "" || stdout === "{}") return { ok: true };
  const decision = parseObject(stdout)?.["decision"];
  if (decision !== undefined) return wrong(`blocked ${event}: an agent would be trapped`, RUN_INIT);
  return wrong(`printed at ${event}, where it has to be silent: ${excerpt(stdout)}`, ONE_OBJECT);
}

const RUN_INIT = "Register it anew: checkpoint init";
const SEE_LOG = null;
const ONE_OBJECT = "Take out of the command (or its wrapper) whatever else prints to stdout; agents drop the answer.";

/** What is wrong with the way a command ended, before its answer is looked at; null where nothing is. */
function judgeEnd(answer: CommandAnswer): AnswerVerdict | null {
  return ENDS[answer.end](answer);
}

const ENDS: Readonly<Record<CommandAnswer["end"], (answer: CommandAnswer) => AnswerVerdict | null>> = {
  "not-started": (answer) =>
    wrong(`could not be started: ${saidBy(answer)}`, "Install the shell that the agent runs its hooks in."),
  "timed-out": ({ durationMs }) =>
    wrong(
      `did not answer within ${seconds(durationMs)}: the agent gives up and goes on`,
      "Run the command by hand; if it is a wrapper, let it call checkpoint-hook and nothing else.",
    ),
  flooded: () => wrong("printed more than a megabyte and was ended", ONE_OBJECT),
  "held-open": () =>
    wrong(
      "ended, but something it started keeps its output open: the agent drops the answer",
      "Start nothing in the background in the command, or send its output to /dev/null.",
    ),
  exited: (answer) => {
    if (answer.exitCode === 0) return null;
    const said = saidBy(answer);
    return wrong(`ended with exit code ${answer.exitCode}${said === "" ? "" : `: ${said}`}`, RUN_INIT);
  },
};

function saidBy({ stdout, stderr }: CommandAnswer): string {
  return excerpt(stderr.trim() || stdout.trim());
}

function wrong(what: string, fix: string | null): AnswerVerdict & { readonly ok: false } {
  return { ok: false, what, fix };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const MOST_SHOWN = 100;

/** The first line, not too long. */
function excerpt(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line;
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${Math.round(milliseconds / 1000)} s`;
}
