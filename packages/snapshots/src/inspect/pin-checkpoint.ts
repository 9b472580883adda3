import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contextOf, type SafetyOptions } from "../context.ts";
import { PINNED, readManifest } from "../store/load-checkpoint.ts";
import { checkpointFolder } from "../store/store-layout.ts";
import { withStoreLock } from "../store/with-store-lock.ts";
import { type Trouble, troubleOf } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";

/** Pins a checkpoint, so that clean-up never takes it, or lets it go again. */
export async function pinCheckpoint(
  id: string,
  options: SafetyOptions & { readonly isPinned?: boolean },
): Promise<{ readonly status: "pinned" | "unpinned"; readonly id: string } | Trouble> {
  return withAudit(options, async (setPlace) => {
    try {
      const { place, lockWaitMs, now } = await contextOf(options);
      setPlace(place);
      readManifest(place.layout, id);
      return await withStoreLock(place.layout, lockWaitMs, async () => {
        const marker = join(checkpointFolder(place.layout, id), PINNED);
        if (options.isPinned === false) rmSync(marker, { force: true });
        else writeFileSync(marker, `${now().toISOString()}\n`, { mode: 0o600 });
        return { status: options.isPinned === false ? ("unpinned" as const) : ("pinned" as const), id };
      });
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === null) throw error;
      return trouble;
    }
  });
}
