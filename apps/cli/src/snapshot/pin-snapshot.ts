import type { CommandContext } from "../commands/command-context.ts";
import { toJson } from "../terminal/to-json.ts";
import { commandLine } from "./command-line.ts";
import { runSafely } from "./run-safely.ts";
import type { PlaceFlags } from "./safety-options.ts";

/** Pins a checkpoint, or lets it go again. */
export async function pinSnapshot(
  id: string,
  flags: PlaceFlags & { readonly remove?: boolean; readonly json?: boolean },
  context: CommandContext,
): Promise<void> {
  const { status } = await runSafely(commandLine("pin", [id], flags), flags, context, (safety, options) =>
    safety.pinCheckpoint(id, { ...options, isPinned: flags.remove !== true }),
  );
  if (flags.json === true) return context.out(toJson({ id, status }));
  return context.out(status === "pinned" ? `${id} is pinned: gc never deletes it.\n` : `${id} is no longer pinned.\n`);
}
