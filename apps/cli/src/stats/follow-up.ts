import { MESSAGE_PREFIX } from "@agent-checkpoint/composer";
import type { StoredStop } from "@agent-checkpoint/store";
import { readTurnAtStop, readTurns, type PastTurn, type ToolCallRecord } from "@agent-checkpoint/transcript";
import type { UnknownWhy } from "./outcome.ts";

/** What the agent had done when it was blocked, and by the end of the turn; or why that is unknown. */
export type FollowUp =
  | {
      readonly status: "read";
      readonly before: readonly ToolCallRecord[];
      readonly whole: readonly ToolCallRecord[];
      /** Whether the turn was ended by the user or by an error. */
      readonly isCutShort: boolean;
    }
  | { readonly status: "unknown"; readonly why: UnknownWhy };

/** Called with the progress of the reading. */
export type OnTranscript = (progress: {
  readonly done: number;
  readonly total: number;
  readonly bytes: number;
  readonly totalBytes: number;
}) => void;

/** Reads what followed blocked stops from their transcripts, each of which is read once. */
export function readFollowUps(
  blocks: readonly StoredStop[],
  onTranscript: OnTranscript = () => {},
): ReadonlyMap<number, FollowUp> {
  const found = new Map<number, FollowUp>();
  const transcripts = new Map<string, Located[]>();
  for (const block of blocks.map(locate)) {
    const { stop, path } = block;
    found.set(stop.id, { status: "unknown", why: path === null ? "no-trail" : "transcript-gone" });
    if (path === null) continue;
    const key = JSON.stringify([stop.agent, path]);
    transcripts.set(key, [...(transcripts.get(key) ?? []), block]);
  }
  const groups = [...transcripts.values()].map((group) => ({ group, bytes: lastPlace(group) }));
  const totalBytes = groups.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytesRead = 0;
  for (const [index, { group, bytes }] of groups.entries()) {
    for (const [id, followUp] of readGroup(group)) found.set(id, followUp);
    bytesRead += bytes;
    onTranscript({ done: index + 1, total: groups.length, bytes: bytesRead, totalBytes });
  }
  return found;
}

function lastPlace(group: readonly Located[]): number {
  return Math.max(...group.map(({ at }) => at));
}

interface Located {
  readonly stop: StoredStop;
  readonly path: string | null;
  /** An offset inside the turn. */
  readonly at: number;
}

function locate(stop: StoredStop): Located {
  const { transcriptPath = null, turnStart = null, readUpTo = null } = stop.trail ?? {};
  if (transcriptPath === null || readUpTo === null) return { stop, path: null, at: 0 };
  return { stop, path: transcriptPath, at: turnStart ?? readUpTo - 1 };
}

function* readGroup(group: readonly Located[]): Generator<readonly [number, FollowUp]> {
  const [first] = group;
  if (first === undefined || first.path === null) return;
  const last = lastPlace(group);
  for (const turn of readTurns(first.path, first.stop.agent, { ownMessages: [MESSAGE_PREFIX] })) {
    for (const { stop } of group.filter(({ at }) => at >= turn.from && at < turn.to))
      yield [stop.id, followUpOf(stop, turn, first.path)];
    if (turn.to > last) return;
  }
}

function followUpOf({ agent, trail }: StoredStop, turn: PastTurn, path: string): FollowUp {
  const before = readTurnAtStop(path, agent, { from: turn.from, to: trail?.readUpTo ?? turn.from });
  if (before.status === "refused") return { status: "unknown", why: "transcript-gone" };
  return {
    status: "read",
    before: before.toolCalls,
    whole: turn.timeline.toolCalls,
    isCutShort: turn.ending.kind === "interrupted" || turn.ending.kind === "failed",
  };
}
