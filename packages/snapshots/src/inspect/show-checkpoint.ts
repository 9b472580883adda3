import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SafetyOptions } from "../context.ts";
import { type CheckpointReport, reportOf } from "../create/report.ts";
import type { Entry } from "../manifest/entry.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { encodePath } from "../paths/byte-path.ts";
import { openContents } from "../store/contents.ts";
import { loadCheckpoint } from "../store/load-checkpoint.ts";
import type { Trouble } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { type CheckpointStatus, isExpired } from "./list-checkpoints.ts";

/** Everything about one checkpoint. */
export interface ShownCheckpoint {
  readonly status: "shown";
  readonly state: CheckpointStatus;
  readonly isPinned: boolean;
  readonly manifest: Manifest;
  readonly report: CheckpointReport;
  readonly entries: readonly (Omit<Entry, "mode"> & { readonly mode: string })[];
}

/** Shows a checkpoint: its manifest, the report it was answered with, and what it holds. */
export async function showCheckpoint(id: string, options: SafetyOptions): Promise<ShownCheckpoint | Trouble> {
  return withAudit<ShownCheckpoint>(options, async ({ place: { layout }, now }) => {
    const contents = openContents(layout);
    try {
      const { manifest, entries } = await loadCheckpoint(layout, id, contents);
      return {
        status: "shown",
        state: isExpired(manifest, now()) ? "expired" : "ready",
        isPinned: existsSync(join(layout.pins, id)),
        manifest,
        report: reportOf({ manifest, entries }, { layout }),
        entries: entries.map((entry) => ({
          ...entry,
          path: encodePath(entry.path),
          mode: entry.mode.toString(8).padStart(4, "0"),
        })),
      };
    } finally {
      contents.close();
    }
  });
}
