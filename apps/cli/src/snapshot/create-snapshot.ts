import type { CreateResult, Progress } from "@agent-checkpoint/snapshots";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import type { Environment } from "../environment.ts";
import { visible } from "../terminal/visible.ts";
import { printDocument } from "./print-document.ts";
import { commandLine, type PlaceFlags, safetyOptions, toCliError } from "./run-safely.ts";

export interface CreateFlags extends PlaceFlags {
  readonly reason?: string;
  readonly type?: string;
  readonly expiry?: string;
  readonly allowAbsent?: boolean;
  readonly json?: boolean;
}

/** Takes a snapshot and prints the contract's answer, also if it was refused. */
export async function createSnapshot(
  scope: readonly string[],
  flags: CreateFlags,
  context: CommandContext,
): Promise<void> {
  const { progress, clear } = showProgress(context);
  const { createCheckpoint } = await import("@agent-checkpoint/snapshots");
  const request = { scope, reason: flags.reason, checkpoint_type: flags.type, expiry: flags.expiry };
  const command = commandLine("create", scope, flags);
  const result: CreateResult = await createCheckpoint(
    request,
    safetyOptions(flags, context, { command, progress }),
  ).finally(clear);
  if (result.status === "created") {
    for (const note of result.notes) context.err(`${context.style.warn("note:")} ${visible(note)}\n`);
    warnLeftOut(result.report, context);
    for (const path of result.absent)
      context.err(
        `${context.style.warn("absent:")} ${visible(path)}: nothing is there; a restore removes what is made there\n`,
      );
    if (result.absent.length > 0 && flags.allowAbsent !== true) context.exit(EXIT.found);
    return printDocument(result.report, context, flags.json === true);
  }
  const { message, advice, exitCode } = toCliError(result);
  const { err, exit, style } = context;
  err(`${style.bad("error:")} ${message}\n${advice === null ? "" : `${advice}\n`}`);
  exit(exitCode);
  return printDocument({ ...result.report, error: { message, advice, exitCode } }, context, flags.json === true);
}

function warnLeftOut(
  { excluded, skipped }: Extract<CreateResult, { status: "created" }>["report"],
  { err, style }: CommandContext,
): void {
  for (const { path, reason } of [...excluded, ...skipped].slice(0, MAX_WARNINGS))
    err(`${style.warn("not captured:")} ${visible(path)}: ${reason}\n`);
  const more = excluded.length + skipped.length - MAX_WARNINGS;
  if (more > 0) err(`${style.warn("not captured:")} ${more} more\n`);
}

const MAX_WARNINGS = 10;

/** A self-overwriting line on stderr for steps longer than a second; nothing if stderr is not a terminal. */
export function showProgress(
  { err, isProgressShown }: Pick<Environment, "err" | "isProgressShown">,
  clock: () => number = () => performance.now(),
): {
  readonly progress: (progress: Progress) => void;
  readonly clear: () => void;
} {
  const start = clock();
  let drawnAt = -Infinity;
  return {
    progress: ({ step, done, total }) => {
      const now = clock();
      if (!isProgressShown || now - start < PATIENCE_MS || now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      err(`${ERASE}${step}  ${done.toLocaleString("en-US")} of ${total.toLocaleString("en-US")}`);
    },
    clear: () => {
      if (drawnAt !== -Infinity) err(ERASE);
    },
  };
}

const PATIENCE_MS = 1000;
const REDRAW_MS = 100;
const ERASE = "\r\u001B[2K";
