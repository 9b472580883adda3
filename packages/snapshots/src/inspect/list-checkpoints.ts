import type { CheckpointType } from "../checkpoint-type.ts";
import type { SafetyOptions } from "../context.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { isOfPlace } from "../place.ts";
import { type FoundManifest, listManifests } from "../store/load-checkpoint.ts";
import type { Trouble } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";
import { type CheckpointStatus, isExpired } from "./status-of.ts";

/** A checkpoint in a list. */
export interface ListedCheckpoint {
  readonly id: string;
  readonly status: CheckpointStatus;
  readonly isPinned: boolean;
  /** The rest is null if the manifest is damaged. */
  readonly type: CheckpointType | null;
  readonly purpose: Manifest["purpose"] | null;
  readonly createdAt: string | null;
  readonly expiresAt: string | null;
  readonly reason: string | null;
  readonly session: string | null;
  readonly root: string | null;
  readonly summary: string | null;
  readonly files: number | null;
  readonly bytes: number | null;
}

/** The snapshots of a root, the last one made first; on request of all work trees of the repository. */
export async function listCheckpoints(
  options: SafetyOptions & { readonly everyRoot?: boolean },
): Promise<{ readonly status: "listed"; readonly checkpoints: readonly ListedCheckpoint[] } | Trouble> {
  return withAudit(options, async ({ place, now }) => {
    const found = await listManifests(place.layout);
    const isShown = (each: FoundManifest): boolean =>
      options.everyRoot === true || "damage" in each || isOfPlace(each.manifest, place);
    const checkpoints = found.filter(isShown).map((each) => listed(each, now()));
    return { status: "listed" as const, checkpoints: checkpoints.toReversed() };
  });
}

function listed(found: FoundManifest, now: Date): ListedCheckpoint {
  if ("damage" in found) return { ...NOTHING_KNOWN, id: found.id };
  const { id, type, purpose, createdAt, expiresAt, reason, session, root, summary, counts } = found.manifest;
  const { files, bytes } = counts;
  const status = isExpired(found.manifest, now) ? "expired" : "ready";
  const { isPinned } = found;
  return { id, status, isPinned, type, purpose, createdAt, expiresAt, reason, session, root, summary, files, bytes };
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
  files: null,
  bytes: null,
};
