import type { SafetyOptions } from "../context.ts";
import { withStore } from "../store/with-store.ts";
import type { Trouble } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { refuseWithoutStore } from "./prepare-restore.ts";
import { abandonRestores } from "./recover.ts";

/** Gives up the interrupted restores of this work tree. */
export async function abandonRestore(
  options: SafetyOptions,
): Promise<{ readonly status: "abandoned"; readonly notes: readonly string[] } | Trouble> {
  return withAudit(options, async (context) => {
    refuseWithoutStore(context);
    return withStore(context.place.layout, context.lockWaitMs, async () => ({
      status: "abandoned" as const,
      notes: abandonRestores(context.place),
    }));
  });
}
