import { contextOf, type SafetyOptions } from "../context.ts";
import { type CheckpointReport, reportOf } from "../create/report.ts";
import type { EntryType } from "../manifest/entry.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { encodePath } from "../paths/byte-path.ts";
import { loadCheckpoint, readManifest } from "../store/load-checkpoint.ts";
import { type Trouble, troubleOf } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { type CheckpointStatus, isExpired } from "./status-of.ts";

/** Everything about one checkpoint. */
export interface ShownCheckpoint {
  readonly status: "shown";
  readonly state: CheckpointStatus;
  readonly isPinned: boolean;
  readonly manifest: Manifest;
  readonly report: CheckpointReport;
  readonly entries: readonly {
    readonly path: string;
    readonly type: EntryType;
    readonly mode: string;
    readonly size: number;
    readonly sha256: string | null;
  }[];
}

/** Shows a checkpoint: its manifest, the report it was answered with, and what it holds. */
export async function showCheckpoint(id: string, options: SafetyOptions): Promise<ShownCheckpoint | Trouble> {
  return withAudit(options, async (setPlace) => {
    try {
      const { place, now, program } = await contextOf(options);
      setPlace(place);
      const { manifest, entries } = loadCheckpoint(place.layout, id);
      const found = readManifest(place.layout, id);
      return {
        status: "shown",
        state: isExpired(manifest, now()) ? "expired" : "ready",
        isPinned: "isPinned" in found && found.isPinned,
        manifest,
        report: reportOf({ manifest, entries }, { program, store: place.layout.folder }),
        entries: entries.map((entry) => ({
          ...entry,
          path: encodePath(entry.path),
          mode: entry.mode.toString(8).padStart(4, "0"),
        })),
      };
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === null) throw error;
      return trouble;
    }
  });
}
