import type { Activity, ToolInterval } from "@agent-checkpoint/snapshots";
import type { SessionActivity } from "./session-activity.ts";

/** A session of which something may be known: by its transcript, and by what the hook has heard of it. */
export interface KnownSession {
  /** Null where its transcript cannot be read, or tells no times. */
  readonly read: SessionActivity | null;
  readonly firstSeenAt: Date | null;
  readonly lastPromptAt: Date | null;
  readonly lastStopAt: Date | null;
  /** Whether this very program runs in one of its calls. */
  readonly isCalling: boolean;
  /** Whether nothing can be told without it. */
  readonly isNeeded: boolean;
}

/**
 * When tools of agents ran, out of all sessions of a place.
 * Null, as nobody can tell, where one that was active since the checkpoint cannot be read, and where none was.
 */
export function joinActivity(
  sessions: readonly KnownSession[],
  { checkpointAt, now }: { readonly checkpointAt: Date; readonly now: Date },
): Activity | null {
  const isSince = (time: Date | null): boolean => time !== null && time >= checkpointAt;
  const known: Known[] = [];
  for (const session of sessions) {
    const { read, isNeeded, firstSeenAt, lastPromptAt, lastStopAt } = session;
    if (read !== null) known.push({ ...session, read });
    else if (isNeeded || [firstSeenAt, lastPromptAt, lastStopAt].some(isSince)) return null;
  }
  const intervals = known.flatMap((session) => [...session.read.intervals, ...unwritten(session, now)]);
  if (!intervals.some(({ to }) => to === null || isSince(to))) return null;
  const since = knownSince(known);
  return since === null ? null : { since, intervals };
}

/** A turn that the hook has heard of and the transcript does not show yet. */
function unwritten({ read, lastPromptAt, lastStopAt, isCalling }: Known, now: Date): readonly ToolInterval[] {
  const isShown =
    lastPromptAt === null || (read.last !== null && lastPromptAt.getTime() - read.last.getTime() < LAG_MS);
  if (!isShown)
    return [{ from: lastPromptAt, to: lastStopAt !== null && lastStopAt >= lastPromptAt ? lastStopAt : null }];
  return isCalling && !read.intervals.some(({ to }) => to === null) ? [{ from: now, to: null }] : [];
}

/**
 * Since when everything is known: since the first prompt of all sessions; where the hook knew one before its transcript
 * begins, a part of that is lost, and it is known from there on.
 */
function knownSince(sessions: readonly Known[]): Date | null {
  const begins = sessions.flatMap(({ read: { first }, firstSeenAt }) =>
    first === null ? [] : [{ first, isCut: firstSeenAt !== null && first.getTime() - firstSeenAt.getTime() > LAG_MS }],
  );
  if (begins.length === 0) return null;
  const cut = begins.filter(({ isCut }) => isCut);
  const times = (cut.length > 0 ? cut : begins).map(({ first }) => first.getTime());
  return new Date(cut.length > 0 ? Math.max(...times) : Math.min(...times));
}

type Known = KnownSession & { readonly read: SessionActivity };

/** The hook hears of a prompt when it is sent, and the transcript has it a moment later or before. */
const LAG_MS = 60_000;
