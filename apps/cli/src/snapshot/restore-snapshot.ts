import { resolve } from "node:path";
import { findRules } from "@agent-checkpoint/composer";
import { findGitRoot } from "@agent-checkpoint/git";
import type { Manifest } from "@agent-checkpoint/snapshots";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { renderTable } from "../terminal/layout.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { printDocument } from "./print-document.ts";
import { renderSnapshots } from "./manage-snapshots.ts";
import { commandLine, idOf, type PlaceFlags, runSafely } from "./run-safely.ts";

export interface RestoreFlags extends PlaceFlags {
  readonly scope?: readonly string[];
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly removeNew?: boolean;
  readonly allowExpired?: boolean;
  readonly into?: string;
  readonly abandon?: boolean;
  readonly json?: boolean;
}

/** Restores a snapshot, shows what that would change, or writes it into another folder. */
export async function restoreSnapshot(
  word: string | undefined,
  given: RestoreFlags,
  context: CommandContext,
): Promise<void> {
  if (given.abandon === true) return abandonRestore(given, context);
  const { id, flags } =
    word === undefined ? { id: await pick(given, context), flags: given } : await idOf(word, given, context);
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
  const folder = resolve(context.cwd, flags.root ?? "");
  const rules = await findRules(findGitRoot(folder) ?? folder, context.home);
  const undoDays = rules.ok ? rules.rules.safety?.keepDays : undefined;
  const undo = undoDays === undefined ? {} : { undoDays };
  const { report, notes, status } = await runSafely(command, flags, context, (safety, options) =>
    safety.restoreCheckpoint(request, { ...options, ...undo }),
  );
  for (const note of [...notes, ...report.warnings]) context.err(`${context.style.warn("note:")} ${visible(note)}\n`);
  if (status === "restored" && !report.verification.match) context.exit(EXIT.failed);
  return printDocument(report, context, flags.json === true);
}

/** Gives up an interrupted restore. */
async function abandonRestore(flags: RestoreFlags, context: CommandContext): Promise<void> {
  const { notes } = await runSafely(commandLine("restore", [], flags), flags, context, (safety, options) =>
    safety.abandonRestore(options),
  );
  if (flags.json === true) return context.out(toJson({ abandoned: notes }));
  for (const note of notes) context.out(`${visible(note)}\n`);
  if (notes.length === 0) context.out("No restore was interrupted here.\n");
}

/** Lets a person at a terminal choose a snapshot. */
async function pick(flags: RestoreFlags, context: CommandContext): Promise<string> {
  const { ask, out } = context;
  if (ask === null)
    throw new CliError("no snapshot was named.", { exitCode: EXIT.usage, advice: "Name one, or `latest`." });
  const { checkpoints } = await runSafely(commandLine("list", [], {}), flags, context, (safety, options) =>
    safety.listCheckpoints(options),
  );
  const shown = checkpoints.filter(({ status }) => status === "ready").slice(0, MAX_CHOICES);
  if (shown.length === 0) throw new CliError("there is no snapshot here.", { exitCode: EXIT.usage });
  out(renderSnapshots(shown, context, { isNumbered: true }));
  const answer = Number(await ask(`Which one shall be restored (1 to ${shown.length})? `));
  const chosen = shown[answer - 1];
  if (chosen === undefined) throw new CliError("none was chosen; nothing was changed.", { exitCode: EXIT.usage });
  return chosen.id;
}

const MAX_CHOICES = 20;

/** Shows what a restore would change; exit code 1 if it would change something. */
export async function diffSnapshot(
  word: string,
  given: PlaceFlags & {
    readonly scope?: readonly string[];
    readonly stat?: boolean;
    readonly patch?: boolean;
    readonly json?: boolean;
  },
  context: CommandContext,
): Promise<void> {
  const { id, flags } = await idOf(word, given, context);
  if (flags.stat === true || flags.patch === true) {
    const form = flags.patch === true ? "patch" : "stat";
    const { text } = await runSafely(commandLine("diff", [id], flags), flags, context, (safety, options) =>
      safety.textDiff({ id, form }, options),
    );
    if (text !== "") context.exit(EXIT.found);
    return context.out(flags.json === true ? toJson({ [form]: text }) : text);
  }
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
