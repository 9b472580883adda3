import type { CommandContext } from "../commands/command-context.ts";
import { renderTable } from "../terminal/table.ts";
import { toJson } from "../terminal/to-json.ts";
import { visible } from "../terminal/visible.ts";
import { commandLine } from "./command-line.ts";
import { runSafely } from "./run-safely.ts";
import type { PlaceFlags } from "./safety-options.ts";

/** Shows one checkpoint and what it holds. */
export async function showSnapshot(
  id: string,
  flags: PlaceFlags & { readonly json?: boolean },
  context: CommandContext,
): Promise<void> {
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
      ...(manifest.git?.stash ? [`commit     ${manifest.git.stash}`] : []),
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
    .slice(0, MOST_ROWS)
    .map(({ path, type, mode, size }) => [type, mode, String(size), visible(path)]);
  out(
    renderTable(
      [{ heading: "type" }, { heading: "mode" }, { heading: "bytes", align: "right" }, { heading: "path" }],
      shownEntries,
    ),
  );
  if (entries.length > MOST_ROWS) out(`… and ${entries.length - MOST_ROWS} more; --json has them all\n`);
}

const MOST_ROWS = 100;
