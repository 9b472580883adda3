import { explainCheckpoint } from "@agent-checkpoint/composer";
import { describeProblem, type Scope } from "@agent-checkpoint/categories";
import type { ActionExplanation, FileExplanation, ObservationExplanation } from "@agent-checkpoint/heuristics";
import type { StopTrail, StoredStop } from "@agent-checkpoint/store";
import { type PastTurn, readPastTurn } from "./read-past-turn.ts";
import { sayReason } from "./say-reason.ts";

/** Everything that can be said of a stop; `--json` prints it. */
export interface StopReport {
  readonly stop: Omit<StoredStop, "trail"> & {
    /** Why it was blocked or passed, in a sentence. */
    readonly sentence: string;
  };
  /** The number of the stop whose block let this one pass; null where there is none. */
  readonly block: number | null;
  /** Where the turn began; null where nothing was kept of it. */
  readonly turn: (Omit<PastTurn, "timeline"> & { readonly callCount: number | null }) | null;
  readonly files: readonly FileExplanation[] | null;
  /** Whether only files that this session changed count. */
  readonly scope: Scope | null;
  /** Null where the turn cannot be seen any more, or was never looked at. */
  readonly actions: readonly ActionExplanation[] | null;
  readonly observations: readonly ObservationExplanation[] | null;
  /** What keeps this from being the whole truth. */
  readonly notes: readonly string[];
}

/** What a report needs beside the stop. */
export interface ReportFacts {
  readonly home: string;
  /** The number of the stop that blocked the turn before this one. */
  readonly block: number | null;
}

/** Explains a stop from what was kept of it, its transcript and the rules in force. */
export async function reportStop(stop: StoredStop, { home, block }: ReportFacts): Promise<StopReport> {
  const { trail, ...kept } = stop;
  const sentence = sayReason({ ...stop, secondsAfterPrompt: secondsAfterPrompt(stop) });
  const told = { stop: { ...kept, sentence }, block };
  const unexplained = { files: null, scope: null, actions: null, observations: null };
  if (trail === null) return { ...told, turn: null, ...unexplained, notes: [] };
  const { timeline, ...turn } = readPastTurn(stop, trail);
  const seen = { ...turn, callCount: timeline.hasData ? timeline.toolCalls.length : null };
  if (trail.changedFiles === null || stop.projectPath === null)
    return { ...told, turn: seen, ...unexplained, notes: notesOnTurn(turn) };

  const explained = await explainCheckpoint({
    agentName: stop.agent,
    projectPath: stop.projectPath,
    changedFiles: trail.changedFiles,
    timeline,
    workingSlug: trail.workingSlug,
    promptAt: trail.promptAt,
    stoppedAt: stop.at,
    home,
  });
  if (explained.status === "config-problem") {
    const notes = explained.problems.map((problem) => `The rules cannot be read any more: ${describeProblem(problem)}`);
    return { ...told, turn: seen, ...unexplained, notes: [...notesOnTurn(turn), ...notes] };
  }
  const { scope } = explained;
  const { files, actions, observations, result } = explained.explanation;
  if (turn.problem !== null)
    return { ...told, turn: seen, ...unexplained, files, scope, notes: [...notesOnTurn(turn), ...notesOnFiles(trail)] };
  const isSame =
    isEqual(
      result.actions.map(({ id }) => id),
      stop.actions,
    ) && isEqual(result.observations, stop.observations);
  const notes = [...(timeline.hasData ? [] : [UNREAD]), ...notesOnFiles(trail), ...(isSame ? [] : [CHANGED])];
  return { ...told, turn: seen, files, scope, actions, observations, notes };
}

const UNREAD = "There was no transcript to read at the stop: the files alone decided.";
const CHANGED =
  "The rules, or what they read, have changed since: what stands here is not in every point what was said at the stop.";

function secondsAfterPrompt({ at, trail }: StoredStop): number | null {
  const promptAt = trail?.promptAt ?? null;
  return promptAt === null ? null : Math.max(0, Math.round((at.getTime() - promptAt.getTime()) / 1000));
}

const PROBLEMS: Readonly<Record<NonNullable<PastTurn["problem"]>, string>> = {
  missing: "is gone",
  unreadable: "cannot be read",
  "not-a-transcript": "is none of this agent any more",
  "too-large": "is too large to be read",
  empty: "is empty",
  shortened: "has been written anew since",
};

function notesOnTurn({ problem }: Pick<PastTurn, "problem">): readonly string[] {
  return problem === null
    ? []
    : [`The transcript ${PROBLEMS[problem]}, so the calls of the turn cannot be shown: only what the record holds.`];
}

function notesOnFiles({ changedFiles, changedFileCount }: StopTrail): readonly string[] {
  const kept = changedFiles?.length ?? 0;
  return changedFileCount !== null && changedFileCount > kept
    ? [`${changedFileCount} files had changed; the first ${kept} were kept.`]
    : [];
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
