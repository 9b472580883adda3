import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "../context.ts";
import type { Change } from "../kinds/kind.ts";
import { kindOf } from "../kinds/kinds.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { openContents } from "../store/contents.ts";
import { ensureOwnFolder } from "../workspace/ensure-own-folder.ts";
import { noteRestore } from "../writes/restore-times.ts";
import { removeJournal, writeJournal } from "./journal.ts";
import { clearStaging } from "./recover.ts";

/** Makes the changes of a restore under a journal; an error on the way takes back what was changed so far. */
export async function makeChanges(
  changes: readonly Change[],
  { checkpoint, undo }: { readonly checkpoint: Manifest; readonly undo: string },
  context: Context,
): Promise<void> {
  const { place, step, progress } = context;
  const { layout, root } = place;
  const { id, type } = checkpoint;
  const kind = kindOf(type, context);
  const own = ensureOwnFolder(root, ".checkpoints");
  const staging = join(own ?? layout.tmp, `restore-${undo}`);
  const from = new Date();
  const contents = openContents(layout);
  try {
    writeJournal(layout, { undo, checkpoint: id, type, root, staging, changes });
    step("journal written");
    mkdirSync(staging, { mode: 0o700 });
    const common = { root, contents, staging, isDurable: true, progress };
    try {
      await kind.apply({ ...common, changes, step, isResumed: false });
    } catch (error) {
      clearStaging(staging);
      mkdirSync(staging, { mode: 0o700 });
      // What was changed so far goes back to what it was.
      const back = changes.map(({ from: before, to }) => ({ from: to, to: before }));
      await kind.apply({ ...common, changes: back, step: () => undefined, isResumed: true });
      finish();
      throw error;
    }
    finish();
    step("journal removed");
  } finally {
    contents.close();
  }

  function finish(): void {
    clearStaging(staging);
    noteRestore(layout, root, { from, to: new Date(), undo });
    removeJournal(layout, undo);
  }
}
