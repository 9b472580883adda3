import { CheckpointError } from "@agent-checkpoint/handoff";
import type { CheckpointKey } from "../names/file-name.ts";
import { eventsBetween, MOST_EVENTS } from "../steps/events-between.ts";
import { checkDocument, checkSummaries } from "./check-document.ts";
import { completeDocument } from "./complete-document.ts";
import type { RawDocument } from "./migrations.ts";
import type { UnifiedCheckpoint } from "./types.ts";

/** What a save knows beside the document. */
export interface Stamp {
  readonly key: CheckpointKey;
  readonly now: Date;
  /** The commit that HEAD is at; null where there is none to be had. */
  readonly head: string | null;
}

/** A document made ready to be written: stamped, its state derived, every field and every summary looked at. */
export function stampDocument(
  before: UnifiedCheckpoint | null,
  draft: RawDocument,
  { key, now, head }: Stamp,
): UnifiedCheckpoint {
  const at = now.toISOString();
  const commit = head ?? draft["head_commit"] ?? null;
  const drafted = completeDocument(
    {
      ...draft,
      revision: revisionAfter(before, draft),
      head_commit: commit,
      base_commit: draft["base_commit"] ?? commit,
      started_at: draft["started_at"] ?? at,
      updated_at: at,
      events: draft["events"] ?? before?.events ?? [],
    },
    key,
    now,
  );
  const { events, ...checkpoint } = checkedOrThrow(drafted);
  const steps = eventsBetween(before, checkpoint, { at, head_commit: checkpoint.head_commit });
  const stamped = { ...checkpoint, events: [...events, ...steps].slice(-MOST_EVENTS) };
  const summaries = checkSummaries(stamped);
  if (summaries.length > 0) throw new CheckpointError("too-long", summaries.join("; "));
  return stamped;
}

/** A file that was deleted does not take the count back, or two different states would have one number. */
function revisionAfter(before: UnifiedCheckpoint | null, draft: RawDocument): number {
  const { revision } = draft;
  return Math.max(before?.revision ?? 0, typeof revision === "number" ? revision : 0) + 1;
}

function checkedOrThrow(document: RawDocument): UnifiedCheckpoint {
  const checked = checkDocument(document);
  if (checked.ok) return checked.checkpoint;
  throw new CheckpointError("invalid", checked.problems.join("; "));
}
