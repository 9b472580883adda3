import type { Context } from "../context.ts";
import { makeCheckpoint } from "../create/make-checkpoint.ts";
import { isSameState } from "../manifest/entry.ts";
import type { Checkpoint } from "../store/load-checkpoint.ts";
import { SafetyError } from "../trouble.ts";
import { namePaths } from "./name-paths.ts";
import type { RestorePlan } from "./plan-restore.ts";

/** A snapshot of exactly what the restore will touch; what cannot be captured is not touched. */
export async function keepForUndo(
  checkpoint: Checkpoint,
  { changes }: RestorePlan,
  context: Context,
): Promise<Checkpoint> {
  const undo = await makeCheckpoint(
    {
      scope: [],
      exactly: changes.map(({ to }) => to.path),
      reason: `before the restore of ${checkpoint.manifest.id}`,
      type: checkpoint.manifest.type,
      expiresAt: new Date(context.now().getTime() + context.undoDays * 86_400_000),
      purpose: "undo",
      program: context.program,
    },
    context,
  );
  const kept = new Map(undo.entries.map((entry) => [entry.path, entry]));
  const lost = changes.filter(({ from }) => {
    const entry = kept.get(from.path);
    return entry === undefined || (from.type !== "directory" && !isSameState(entry, from));
  });
  if (lost.length > 0) {
    throw new SafetyError(
      "not-undoable",
      `What is there now cannot be kept, or is changing: ${namePaths(lost.map(({ from }) => from.path))}.`,
      "Nothing was changed. Move it away and restore again.",
    );
  }
  return undo;
}
