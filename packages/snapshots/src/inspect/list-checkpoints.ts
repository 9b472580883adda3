import type { CheckpointType } from "../checkpoint-type.ts";
import { type SafetyOptions, contextOf } from "../context.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { isOfPlace } from "../place.ts";
import { type FoundManifest, listIds, listManifests } from "../store/load-checkpoint.ts";
import { SafetyError, type Trouble, troubleOf } from "../trouble.ts";
import { withAudit } from "../with-audit.ts";

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

/** How a checkpoint stands: expiry only marks it, nothing is deleted by time. */
export type CheckpointStatus = "ready" | "expired" | "damaged";

/** Whether a checkpoint has expired. */
export function isExpired({ expiresAt }: Manifest, now: Date): boolean {
  return expiresAt !== null && new Date(expiresAt) <= now;
}

/** The id that a word stands for: itself, `latest` for the last snapshot that was asked for here, or the beginning of one id. */
export async function resolveId(
  word: string,
  options: SafetyOptions,
): Promise<{ readonly status: "resolved"; readonly id: string } | Trouble> {
  try {
    const { place } = await contextOf(options);
    if (word === "latest") {
      const own = (await listManifests(place.layout)).flatMap((found) => ("manifest" in found ? [found.manifest] : []));
      const last = own.findLast((manifest) => manifest.purpose === "asked" && isOfPlace(manifest, place));
      if (last !== undefined) return { status: "resolved", id: last.id };
      throw new SafetyError("unknown-checkpoint", "There is no snapshot here yet.");
    }
    const beginnings = [word, `chk_${word}`];
    const ids = listIds(place.layout).filter(
      (id) => word !== "" && beginnings.some((beginning) => id.startsWith(beginning)),
    );
    if (ids.length > 1)
      throw new SafetyError(
        "bad-input",
        `\`${word}\` is the beginning of ${ids.length} ids.`,
        `Write more of it: ${ids.slice(0, 3).join(", ")}.`,
      );
    return { status: "resolved", id: ids[0] ?? word };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === null) throw error;
    return trouble;
  }
}
