import type { SafetyOptions } from "../context.ts";
import { deleteSnapshots, dropUnneeded } from "../gc/collect-garbage.ts";
import { openContents } from "../store/contents.ts";
import { readManifest, refuseUnknown } from "../store/load-checkpoint.ts";
import { withStore } from "../store/with-store.ts";
import type { Trouble } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Deletes one snapshot, expired, pinned and damaged or not, and what only it needed. */
export async function deleteCheckpoint(
  id: string,
  options: SafetyOptions,
): Promise<{ readonly status: "deleted"; readonly id: string; readonly notes: readonly string[] } | Trouble> {
  return withAudit(options, async ({ place: { layout }, lockWaitMs, now }) => {
    refuseUnknown(layout, id);
    return withStore(layout, lockWaitMs, async () => {
      const contents = openContents(layout);
      try {
        await deleteSnapshots(layout, [await readManifest(layout, id, contents)], now());
      } finally {
        contents.close();
      }
      return { status: "deleted" as const, id, notes: await dropUnneeded(layout) };
    });
  });
}

/** Pins a checkpoint, so that clean-up never takes it, or lets it go again. */
export async function pinCheckpoint(
  id: string,
  options: SafetyOptions & { readonly isPinned?: boolean },
): Promise<{ readonly status: "pinned" | "unpinned"; readonly id: string } | Trouble> {
  return withAudit(options, async ({ place: { layout }, lockWaitMs, now }) => {
    refuseUnknown(layout, id);
    return withStore(layout, lockWaitMs, async () => {
      const mark = join(layout.pins, id);
      if (options.isPinned !== false) writeFileSync(mark, `${now().toISOString()}\n`, { mode: 0o600 });
      else if (existsSync(mark)) rmSync(mark);
      return { status: options.isPinned === false ? ("unpinned" as const) : ("pinned" as const), id };
    });
  });
}
