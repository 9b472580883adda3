import type { CommandContext } from "../commands/command-context.ts";
import { renderTable } from "../terminal/table.ts";
import { toJson } from "../terminal/to-json.ts";
import { visible } from "../terminal/visible.ts";
import { commandLine } from "./command-line.ts";
import { runSafely } from "./run-safely.ts";
import type { PlaceFlags } from "./safety-options.ts";

/** Lists the checkpoints of this workspace, the newest first. */
export async function listSnapshots(
  flags: PlaceFlags & { readonly all?: boolean; readonly json?: boolean },
  context: CommandContext,
): Promise<void> {
  const { checkpoints } = await runSafely(commandLine("list", [], flags), flags, context, (safety, options) =>
    safety.listCheckpoints({ ...options, everyRoot: flags.all === true }),
  );
  if (flags.json === true) return context.out(toJson(checkpoints));
  if (checkpoints.length === 0)
    return context.out("No checkpoints here. Make one: checkpoint snapshot create <scope>\n");
  const { style } = context;
  const rows = checkpoints.map(({ id, status, isPinned, type, purpose, expiresAt, summary, reason }) => [
    style.name(id),
    status === "ready" ? style.good(status) : style.warn(status),
    `${type ?? "?"}${purpose === "undo" ? " (undo)" : ""}${isPinned ? " (pinned)" : ""}`,
    expiresAt?.slice(0, 16).replace("T", " ") ?? "never",
    visible([summary ?? "", reason ?? ""].filter((part) => part !== "").join("; ")),
  ]);
  return context.out(
    renderTable(
      ["id", "status", "type", "expires", "holds"].map((heading) => ({ heading })),
      rows,
    ),
  );
}
