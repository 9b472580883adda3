import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { renderTable } from "../terminal/table.ts";
import { toJson } from "../terminal/to-json.ts";
import { visible } from "../terminal/visible.ts";
import { commandLine } from "./command-line.ts";
import { runSafely } from "./run-safely.ts";
import type { PlaceFlags } from "./safety-options.ts";

/** Shows what a restore would change; exit code 1 where it would change something. */
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
