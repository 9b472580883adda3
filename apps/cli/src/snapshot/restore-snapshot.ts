import type { Manifest } from "@agent-checkpoint/snapshots";
import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { visible } from "../terminal/visible.ts";
import { commandLine } from "./command-line.ts";
import { printDocument } from "./print-document.ts";
import { runSafely } from "./run-safely.ts";
import type { PlaceFlags } from "./safety-options.ts";

export interface RestoreFlags extends PlaceFlags {
  readonly scope?: readonly string[];
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly removeNew?: boolean;
  readonly allowExpired?: boolean;
  readonly into?: string;
  readonly json?: boolean;
}

/** Brings a checkpoint back, or shows what that would change, or writes it into a folder beside. */
export async function restoreSnapshot(id: string, flags: RestoreFlags, context: CommandContext): Promise<void> {
  const command = commandLine("restore", [id], flags);
  if (flags.into !== undefined) {
    const { into } = flags;
    const written = await runSafely(command, flags, context, (safety, options) =>
      safety.restoreInto(id, into, options),
    );
    if (!written.match) context.exit(EXIT.failed);
    return printDocument(written, context, flags.json === true);
  }
  const request = {
    id,
    dryRun: flags.dryRun === true,
    force: flags.force === true,
    removeNew: flags.removeNew === true,
    allowExpired: flags.allowExpired === true,
    ...(flags.scope === undefined ? {} : { scope: flags.scope }),
    activityOf: async (checkpoint: Manifest) =>
      (await import("./activity/agent-activity.ts")).agentActivity(checkpoint, context),
  };
  const { report, notes, status } = await runSafely(command, flags, context, (safety, options) =>
    safety.restoreCheckpoint(request, options),
  );
  for (const note of [...notes, ...report.warnings]) context.err(`${context.style.warn("note:")} ${visible(note)}\n`);
  if (status === "restored" && !report.verification.match) context.exit(EXIT.failed);
  return printDocument(report, context, flags.json === true);
}
