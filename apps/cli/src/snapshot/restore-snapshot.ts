import type { Manifest } from "@agent-checkpoint/snapshots";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { renderTable } from "../terminal/layout.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { printDocument } from "./print-document.ts";
import { commandLine, type PlaceFlags, runSafely } from "./run-safely.ts";

export interface RestoreFlags extends PlaceFlags {
  readonly scope?: readonly string[];
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly removeNew?: boolean;
  readonly allowExpired?: boolean;
  readonly into?: string;
  readonly json?: boolean;
}

/** Restores a snapshot, shows what that would change, or writes it into another folder. */
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

/** Shows what a restore would change; exit code 1 if it would change something. */
export async function diffSnapshot(
  id: string,
  flags: PlaceFlags & { readonly scope?: readonly string[]; readonly json?: boolean },
  context: CommandContext,
): Promise<void> {
  const request = { id, ...(flags.scope === undefined ? {} : { scope: flags.scope }) };
  const { status, report } = await runSafely(commandLine("diff", [id], flags), flags, context, (safety, options) =>
    safety.diffCheckpoint(request, options),
  );
  const { changes_reverted: changes, kept } = report;
  if (status === "found") context.exit(EXIT.found);
  if (flags.json === true) return context.out(toJson({ changes, kept, verification: report.verification }));
  const { out, style } = context;
  if (changes.length === 0) out(`${style.good("Nothing in scope differs")} from ${id}.\n`);
  else {
    const rows = changes.map(({ file, operation, summary }) => [operation, visible(file), summary]);
    out(renderTable([{ heading: "would" }, { heading: "path" }, { heading: "how" }], rows));
  }
  for (const file of kept) out(`would keep  ${visible(file)}  (new since)\n`);
}
