import type { ListedCheckpoint } from "@agent-checkpoint/snapshots";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { renderTable } from "../terminal/layout.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { commandLine, idOf, type PlaceFlags, runSafely } from "./run-safely.ts";

/** Lists the snapshots of this workspace, newest first. */
export async function listSnapshots(
  flags: PlaceFlags & { readonly all?: boolean; readonly json?: boolean },
  context: CommandContext,
): Promise<void> {
  const { checkpoints } = await runSafely(commandLine("list", [], flags), flags, context, (safety, options) =>
    safety.listCheckpoints({ ...options, everyRoot: flags.all === true }),
  );
  if (flags.json === true) return context.out(toJson(checkpoints));
  if (checkpoints.length === 0) return context.out("No snapshots here. Take one: checkpoint snapshot create <scope>\n");
  return context.out(renderSnapshots(checkpoints, context));
}

/** A table of snapshots, with times as the person's clock shows them. */
export function renderSnapshots(
  checkpoints: readonly ListedCheckpoint[],
  { style }: Pick<CommandContext, "style">,
  { isNumbered = false }: { readonly isNumbered?: boolean } = {},
): string {
  const rows = checkpoints.map((checkpoint, index) => {
    const { id, status, isPinned, type, purpose, createdAt, expiresAt, reason, files, bytes } = checkpoint;
    return [
      ...(isNumbered ? [String(index + 1)] : []),
      style.name(id),
      status === "ready" ? style.good(status) : style.warn(status),
      `${type ?? "?"}${purpose === "undo" ? " (undo)" : ""}${isPinned ? " (pinned)" : ""}`,
      localTime(createdAt) ?? "?",
      localTime(expiresAt) ?? "never",
      String(files ?? "?"),
      bytes === null ? "?" : sizeInWords(bytes),
      visible(reason ?? ""),
    ];
  });
  const right = new Set(["files", "size"]);
  const headings = ["id", "status", "type", "created", "expires", "files", "size", "reason"];
  const columns = headings.map((heading) => ({
    heading,
    align: right.has(heading) ? ("right" as const) : ("left" as const),
  }));
  return renderTable(isNumbered ? [{ heading: "" }, ...columns] : columns, rows);
}

/** A time of the store as the person's clock shows it, to the minute. */
function localTime(iso: string | null): string | null {
  return iso === null ? null : new Date(iso).toLocaleString("sv-SE").slice(0, 16);
}

function sizeInWords(bytes: number): string {
  const [unit = "B", by = 1] = UNITS.findLast(([, least]) => bytes >= least) ?? [];
  return `${by === 1 ? bytes : (bytes / by).toFixed(1)} ${unit}`;
}

const UNITS: readonly (readonly [string, number])[] = [
  ["kB", 1000],
  ["MB", 1_000_000],
  ["GB", 1_000_000_000],
];

/** Deletes a snapshot, after asking once. */
export async function deleteSnapshot(
  word: string,
  given: PlaceFlags & { readonly yes?: boolean; readonly json?: boolean },
  context: CommandContext,
): Promise<void> {
  const { id, flags } = await idOf(word, given, context);
  if (flags.yes !== true) {
    const answer = (await context.ask?.(`Delete ${id} for good? [y/N] `)) ?? "";
    if (!/^y(es)?$/i.test(answer.trim()))
      throw new CliError("not confirmed: nothing was deleted.", {
        exitCode: EXIT.usage,
        advice: "Answer y, or give --yes.",
      });
  }
  const { notes } = await runSafely(commandLine("delete", [id], flags), flags, context, (safety, options) =>
    safety.deleteCheckpoint(id, options),
  );
  for (const note of notes) context.err(`${context.style.warn("note:")} ${visible(note)}\n`);
  return context.out(flags.json === true ? toJson({ id, status: "deleted" }) : `${id} is deleted.\n`);
}

/** Shows one snapshot and its contents. */
export async function showSnapshot(
  word: string,
  given: PlaceFlags & { readonly json?: boolean },
  context: CommandContext,
): Promise<void> {
  const { id, flags } = await idOf(word, given, context);
  const shown = await runSafely(commandLine("show", [id], flags), flags, context, (safety, options) =>
    safety.showCheckpoint(id, options),
  );
  const { manifest, entries, state, isPinned } = shown;
  if (flags.json === true) return context.out(toJson({ state, isPinned, manifest, entries }));
  const { style, out } = context;
  out(
    [
      `${style.bold(manifest.id)}  ${manifest.type}  ${state}${isPinned ? "  pinned" : ""}`,
      ...(manifest.reason === "" ? [] : [`reason     ${visible(manifest.reason)}`]),
      `created    ${manifest.createdAt}`,
      `expires    ${manifest.expiresAt ?? "never"}`,
      `holds      ${manifest.summary}`,
      `hash       ${manifest.tree}`,
      `commit     refs/snapshots/${manifest.id}`,
      `restore    ${visible(manifest.restoreCommand)}`,
      ...manifest.assumptions.map((text) => `assumes    ${visible(text)}`),
      ...[...manifest.excluded, ...manifest.skipped].map(
        ({ path, reason }) => `left out   ${visible(path)}: ${reason}`,
      ),
      "",
      "",
    ].join("\n"),
  );
  const shownEntries = entries
    .slice(0, MAX_ROWS)
    .map(({ path, type, mode, size }) => [type, mode, String(size), visible(path)]);
  out(
    renderTable(
      [{ heading: "type" }, { heading: "mode" }, { heading: "bytes", align: "right" }, { heading: "path" }],
      shownEntries,
    ),
  );
  if (entries.length > MAX_ROWS) out(`… and ${entries.length - MAX_ROWS} more; --json has them all\n`);
}

const MAX_ROWS = 100;

/** Pins or unpins a snapshot. */
export async function pinSnapshot(
  word: string,
  given: PlaceFlags & { readonly remove?: boolean; readonly json?: boolean },
  context: CommandContext,
): Promise<void> {
  const { id, flags } = await idOf(word, given, context);
  const { status } = await runSafely(commandLine("pin", [id], flags), flags, context, (safety, options) =>
    safety.pinCheckpoint(id, { ...options, isPinned: flags.remove !== true }),
  );
  if (flags.json === true) return context.out(toJson({ id, status }));
  return context.out(status === "pinned" ? `${id} is pinned: gc never deletes it.\n` : `${id} is no longer pinned.\n`);
}

/** Verifies one snapshot or all of them; exit code 1 if one fails. */
export async function verifySnapshots(
  word: string | undefined,
  given: PlaceFlags & { readonly quick?: boolean; readonly json?: boolean },
  context: CommandContext,
): Promise<void> {
  const { id: named, flags } = word === undefined ? { id: null, flags: given } : await idOf(word, given, context);
  const { status, verifications } = await runSafely(
    commandLine("verify", named === null ? [] : [named], flags),
    flags,
    context,
    (safety, options) =>
      safety.verifyCheckpoints(named, { ...options, level: flags.quick === true ? "quick" : "full" }),
  );
  if (status === "found") context.exit(EXIT.found);
  if (flags.json === true) return context.out(toJson(verifications));
  const { style, out } = context;
  for (const { id, verdict, hash, entries, failures } of verifications) {
    out(`${verdict === "PASS" ? style.good(verdict) : style.bad(verdict)}  ${id}  ${hash ?? ""}  ${entries} entries\n`);
    for (const failure of failures) out(`      ${visible(failure)}\n`);
  }
  if (verifications.length === 0) out("No snapshots here.\n");
}

/** Lists the snapshots that can be deleted, and deletes them with `--apply`. */
export async function collectSnapshots(
  flags: PlaceFlags & { readonly apply?: boolean; readonly json?: boolean },
  context: CommandContext,
): Promise<void> {
  const { status, decisions, freedBytes, notes } = await runSafely(
    commandLine("gc", [], flags),
    flags,
    context,
    (safety, options) => safety.collectGarbage({ ...options, apply: flags.apply === true }),
  );
  for (const note of notes) context.err(`${context.style.warn("note:")} ${visible(note)}\n`);
  if (flags.json === true) return context.out(toJson({ status, decisions, freedBytes }));
  const { out, style } = context;
  if (decisions.length === 0) return out("No snapshots here.\n");
  const gone = decisions.filter(({ keep }) => !keep).length;
  const word = status === "collected" ? "deleted" : "would be deleted";
  out(
    renderTable(
      [{ heading: "" }, { heading: "id" }, { heading: "why" }],
      decisions.map(({ id, keep, reason }) => [keep ? "stays" : style.warn(word), id, reason]),
    ),
  );
  if (status === "collected") return out(`${gone} deleted, ${freedBytes} bytes freed.\n`);
  return out(
    gone === 0
      ? "Nothing to delete.\n"
      : `Nothing was deleted. Delete ${gone === 1 ? "it" : `these ${gone}`} with: checkpoint snapshot gc --apply\n`,
  );
}
