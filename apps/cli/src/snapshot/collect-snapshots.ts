import type { CommandContext } from "../commands/command-context.ts";
import { renderTable } from "../terminal/table.ts";
import { toJson } from "../terminal/to-json.ts";
import { visible } from "../terminal/visible.ts";
import { commandLine } from "./command-line.ts";
import { runSafely } from "./run-safely.ts";
import type { PlaceFlags } from "./safety-options.ts";

/** Shows which checkpoints may go, and deletes them where that was asked for. */
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
  if (decisions.length === 0) return out("No checkpoints here.\n");
  const gone = decisions.filter(({ keep }) => !keep).length;
  const word = status === "collected" ? "deleted" : "would go";
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
