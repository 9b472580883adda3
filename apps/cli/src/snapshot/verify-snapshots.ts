import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { toJson } from "../terminal/to-json.ts";
import { visible } from "../terminal/visible.ts";
import { commandLine } from "./command-line.ts";
import { runSafely } from "./run-safely.ts";
import type { PlaceFlags } from "./safety-options.ts";

/** Verifies one checkpoint or all of them; exit code 1 where one fails. */
export async function verifySnapshots(
  id: string | undefined,
  flags: PlaceFlags & { readonly quick?: boolean; readonly json?: boolean },
  context: CommandContext,
): Promise<void> {
  const { status, verifications } = await runSafely(
    commandLine("verify", id === undefined ? [] : [id], flags),
    flags,
    context,
    (safety, options) =>
      safety.verifyCheckpoints(id ?? null, { ...options, level: flags.quick === true ? "quick" : "full" }),
  );
  if (status === "found") context.exit(EXIT.found);
  if (flags.json === true) return context.out(toJson(verifications));
  const { style, out } = context;
  for (const { id, verdict, hash, entries, failures } of verifications) {
    out(`${verdict === "PASS" ? style.good(verdict) : style.bad(verdict)}  ${id}  ${hash ?? ""}  ${entries} entries\n`);
    for (const failure of failures) out(`      ${visible(failure)}\n`);
  }
  if (verifications.length === 0) out("No checkpoints here.\n");
}
