import type { CheckpointType } from "../checkpoint-type.ts";
import { contextOf, type SafetyOptions } from "../context.ts";
import { listManifests } from "../store/load-checkpoint.ts";
import { type Trouble, troubleOf } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { rebuildMirror } from "../workspace/rebuild-mirror.ts";
import { type CheckpointStatus, isExpired } from "./status-of.ts";

/** A checkpoint in a list. */
export interface ListedCheckpoint {
  readonly id: string;
  readonly status: CheckpointStatus;
  readonly isPinned: boolean;
  /** The rest is null where the manifest is damaged. */
  readonly type: CheckpointType | null;
  readonly purpose: "asked" | "undo" | null;
  readonly createdAt: string | null;
  readonly expiresAt: string | null;
  readonly reason: string | null;
  readonly session: string | null;
  readonly root: string | null;
  readonly summary: string | null;
}

/** The checkpoints of a root, the newest first; of all work trees of the repository where that is asked for. */
export async function listCheckpoints(
  options: SafetyOptions & { readonly everyRoot?: boolean },
): Promise<{ readonly status: "listed"; readonly checkpoints: readonly ListedCheckpoint[] } | Trouble> {
  return withAudit(options, async (setPlace) => {
    try {
      const { place, now } = await contextOf(options);
      setPlace(place);
      rebuildMirror(place);
      const checkpoints = listManifests(place.layout).map((found): ListedCheckpoint => {
        if ("damage" in found) return { ...NOTHING_KNOWN, id: found.id };
        const { id, type, purpose, createdAt, expiresAt, reason, session, root, summary } = found.manifest;
        const status = isExpired(found.manifest, now()) ? "expired" : "ready";
        return {
          id,
          status,
          isPinned: found.isPinned,
          type,
          purpose,
          createdAt,
          expiresAt,
          reason,
          session,
          root,
          summary,
        };
      });
      const isShown = ({ root }: ListedCheckpoint): boolean =>
        options.everyRoot === true || root === null || root === place.root;
      return { status: "listed" as const, checkpoints: checkpoints.filter(isShown).toReversed() };
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === null) throw error;
      return trouble;
    }
  });
}

const NOTHING_KNOWN: Omit<ListedCheckpoint, "id"> = {
  status: "damaged",
  isPinned: false,
  type: null,
  purpose: null,
  createdAt: null,
  expiresAt: null,
  reason: null,
  session: null,
  root: null,
  summary: null,
};
