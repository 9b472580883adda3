import type { CreateResult } from "@agent-checkpoint/snapshots";
import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { visible } from "../terminal/visible.ts";
import { commandLine } from "./command-line.ts";
import { printDocument } from "./print-document.ts";
import { toCliError } from "./run-safely.ts";
import { type PlaceFlags, safetyOptions } from "./safety-options.ts";
import { showProgress } from "./show-progress.ts";

export interface CreateFlags extends PlaceFlags {
  readonly reason?: string;
  readonly type?: string;
  readonly expiry?: string;
  readonly json?: boolean;
}

/** Makes a checkpoint and prints the contract's answer, also where none was made. */
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
    return printDocument(result.report, context, flags.json === true);
  }
  if (result.report.excluded.length + result.report.skipped.length > 0)
    await printDocument(result.report, context, flags.json === true);
  context.exit(result.status === "refused" ? EXIT.usage : EXIT.failed);
  throw toCliError(result);
}

function warnLeftOut(
  { excluded, skipped }: Extract<CreateResult, { status: "created" }>["report"],
  { err, style }: CommandContext,
): void {
  for (const { path, reason } of [...excluded, ...skipped].slice(0, MOST_WARNINGS))
    err(`${style.warn("not captured:")} ${visible(path)}: ${reason}\n`);
  const more = excluded.length + skipped.length - MOST_WARNINGS;
  if (more > 0) err(`${style.warn("not captured:")} ${more} more\n`);
}

const MOST_WARNINGS = 10;
