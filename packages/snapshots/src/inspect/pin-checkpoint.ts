import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SafetyOptions } from "../context.ts";
import { refuseUnknown } from "../store/load-checkpoint.ts";
import { withStore } from "../store/with-store.ts";
import type { Trouble } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";

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
