import type { Manifest } from "../manifest/manifest.ts";
import { isExpired } from "../inspect/list-checkpoints.ts";

/** A checkpoint as clean-up sees it. */
export interface Candidate {
  readonly id: string;
  /** Null if the manifest is damaged. */
  readonly manifest: Manifest | null;
  readonly isPinned: boolean;
  /** Whether it passes verification. */
  readonly isSound: boolean;
}

/** What becomes of a checkpoint, and why. */
export interface GcDecision {
  readonly id: string;
  readonly keep: boolean;
  readonly reason: string;
}

export interface GcRules {
  readonly now: Date;
  /** Checkpoints younger than this stay. */
  readonly youngMs: number;
  /** The last checkpoint of these sessions stays; so does that of any session whose last one is younger than a day. */
  readonly liveSessions: readonly string[];
}

/** Decides what may be deleted: only expired snapshots that are not needed any more. */
export function planGc(candidates: readonly Candidate[], rules: GcRules): readonly GcDecision[] {
  const last = lastOfLiveSessions(candidates, rules);
  return candidates.map((candidate) => {
    const reason = KEEP.find(({ holds }) => holds(candidate, rules, last))?.reason;
    return { id: candidate.id, keep: reason !== undefined, reason: reason ?? "expired" };
  });
}

/** The reasons to keep a checkpoint; the first that holds is named. */
const KEEP: readonly {
  readonly reason: string;
  readonly holds: (candidate: Candidate, rules: GcRules, last: ReadonlySet<string>) => boolean;
}[] = [
  { reason: "damaged: look at it yourself", holds: ({ manifest }) => manifest === null },
  { reason: "pinned", holds: ({ isPinned }) => isPinned },
  { reason: "not expired", holds: ({ manifest }, { now }) => manifest !== null && !isExpired(manifest, now) },
  { reason: "too young", holds: ({ manifest }, { now, youngMs }) => ageOf(manifest, now) < youngMs },
  { reason: "the last one of a live session", holds: ({ id }, _, last) => last.has(id) },
  { reason: "does not pass verification: look at it yourself", holds: ({ isSound }) => !isSound },
];

const DAY = 86_400_000;

function ageOf(manifest: Manifest | null, now: Date): number {
  return manifest === null ? 0 : now.getTime() - new Date(manifest.createdAt).getTime();
}

function lastOfLiveSessions(candidates: readonly Candidate[], { now, liveSessions }: GcRules): ReadonlySet<string> {
  const last = new Map<string, Candidate>();
  for (const candidate of candidates.toSorted((a, b) =>
    (a.manifest?.createdAt ?? "") < (b.manifest?.createdAt ?? "") ? -1 : 1,
  )) {
    if (candidate.manifest?.session != null) last.set(candidate.manifest.session, candidate);
  }
  const live = [...last].filter(
    ([session, { manifest }]) => liveSessions.includes(session) || ageOf(manifest, now) < DAY,
  );
  return new Set(live.map(([, { id }]) => id));
}
