import { closeSync, openSync, readSync } from "node:fs";
import { describeProblem, type Scope } from "@agent-checkpoint/categories";
import {
  assembleCheckpoint,
  explainCheckpoint,
  findProject,
  readPlan,
  withRepository,
  writeTimes,
} from "@agent-checkpoint/composer";
import type {
  ActionExplanation,
  FileExplanation,
  ObservationExplanation,
  TurnFacts,
} from "@agent-checkpoint/heuristics";
import { redact } from "@agent-checkpoint/redaction";
import type { MovedRule, Outcome, StopTrail, StoredStop } from "@agent-checkpoint/store";
import { readTurnAtStop, type TurnAtStop } from "@agent-checkpoint/transcript";
import { describeReason } from "./describe-reason.ts";

/** Everything known about a stop; `--json` prints it. */
export interface StopReport {
  readonly stop: Omit<StoredStop, "trail" | "observations"> & {
    readonly observations: readonly string[];
    /** Why it was blocked or passed, in a sentence. */
    readonly sentence: string;
  };
  /** The number of the stop whose block let this one pass; null if there is none. */
  readonly block: number | null;
  /** The number of the last stop, which passed because of this block and is shown only by its number; null if there is none. */
  readonly passedAfter: number | null;
  /** Where the turn began; null if it was not recorded. */
  readonly turn: (Omit<PastTurn, "timeline"> & { readonly callCount: number | null }) | null;
  readonly files: readonly FileExplanation[] | null;
  /** Whether only files that this session changed count. */
  readonly scope: Scope | null;
  /** Null if the turn can no longer be read, or never was. */
  readonly actions: readonly ActionExplanation[] | null;
  readonly observations: readonly ObservationExplanation[] | null;
  /** The outcomes of what was asked for or found in silence; empty while they are unknown. */
  readonly outcomes: readonly StopOutcome[];
  /** Seconds and tokens from a block to the end of its turn, each null if unknown; null if there was no block. */
  readonly cost: { readonly seconds: number | null; readonly tokens: number | null } | null;
  /** What a block said, judged again; null if it would differ now, or if there was no block. */
  readonly message: string | null;
  /** The snapshot beside this stop, and the last one from before its turn; null if there is none. */
  readonly snapshots: StopSnapshots | null;
  /** Why the report is incomplete. */
  readonly notes: readonly string[];
}

/** What a report needs besides the stop. */
export interface ReportFacts {
  readonly home: string;
  /** The number of the stop that blocked the turn before this one. */
  readonly block: number | null;
  readonly passedAfter: number | null;
  readonly snapshots: StopSnapshots | null;
  /** The recorded outcomes of the stop. */
  readonly outcomes: readonly Outcome[];
  /** The rules that the program has moved. */
  readonly moved: readonly MovedRule[];
}

/** What became of one rule at a stop. */
export type StopOutcome = Pick<Outcome, "rule" | "mode" | "outcome" | "why" | "note">;

/** The ids of the snapshots that were taken beside stops. */
export interface StopSnapshots {
  readonly atStop: string | null;
  readonly beforeTurn: string | null;
}

/** Explains a stop from its record, its transcript and the current rules. */
export async function reportStop(
  stop: StoredStop,
  { home, block, passedAfter, snapshots, outcomes, moved }: ReportFacts,
): Promise<StopReport> {
  const { trail, ...kept } = stop;
  const sentence = describeReason({ ...stop, secondsAfterPrompt: secondsAfterPrompt(stop) });
  const said = stop.observations.map(({ text }) => text);
  const told = {
    stop: { ...kept, observations: said, sentence },
    block,
    passedAfter,
    snapshots,
    outcomes: outcomes
      .filter(({ kind }) => kind !== "message")
      .map(({ rule, mode, outcome, why, note }) => ({ rule, mode, outcome, why, note })),
    cost: stop.decision === "pass" ? null : costIn(outcomes),
  };
  const unexplained = { files: null, scope: null, actions: null, observations: null, message: null };
  if (trail === null) return { ...told, turn: null, ...unexplained, notes: [] };
  const { timeline, ...turn } = readPastTurn(stop, trail);
  const seen = { ...turn, callCount: timeline.hasData ? timeline.toolCalls.length : null };
  if (trail.changedFiles === null || stop.projectPath === null)
    return { ...told, turn: seen, ...unexplained, notes: notesOnTurn(turn) };

  const { root, aliases, rules } = await findProject(stop.projectPath, home);
  if (!rules.ok) {
    const notes = rules.problems.map((problem) => `The rules can no longer be read: ${describeProblem(problem)}`);
    return { ...told, turn: seen, ...unexplained, notes: [...notesOnTurn(turn), ...notes] };
  }
  const { scope } = rules.rules;
  const facts = await withRepository({
    rules,
    changed: { ok: true as const, files: trail.changedFiles },
    timeline,
    place: { projectPath: root, projectAliases: aliases, writtenAt: writeTimes(root, trail.changedFiles) },
    workingSlug: trail.workingSlug,
    plan: readPlan(root, trail.workingSlug),
    promptAt: trail.promptAt,
    now: stop.at,
    agent: stop.agent,
    moved,
  });
  const { files, actions, observations, result } = explainCheckpoint(facts);
  if (turn.problem !== null)
    return { ...told, turn: seen, ...unexplained, files, scope, notes: [...notesOnTurn(turn), ...notesOnFiles(trail)] };
  const isSame =
    isEqual(
      result.actions.map(({ id }) => id),
      stop.actions,
    ) && isEqual(result.observations, said);
  const notes = [...(timeline.hasData ? [] : [UNREAD]), ...notesOnFiles(trail), ...(isSame ? [] : [CHANGED])];
  const { message } = assembleCheckpoint(facts);
  // The text is not recorded, but its length is.
  const isSaid = isSame && stop.decision === "block" && message.length === stop.messageLength;
  return { ...told, turn: seen, files, scope, actions, observations, message: isSaid ? message : null, notes };
}

/** Every outcome of a block has the same cost. */
function costIn([first]: readonly Outcome[]): StopReport["cost"] {
  return first === undefined || (first.seconds === null && first.tokens === null)
    ? null
    : { seconds: first.seconds, tokens: first.tokens };
}

const UNREAD = "There was no transcript to read at the stop: only the files were judged.";
const CHANGED =
  "The rules, or the files they read, have changed since: this explanation differs from what was said at the stop.";

function secondsAfterPrompt({ at, trail }: StoredStop): number | null {
  const promptAt = trail?.promptAt ?? null;
  return promptAt === null ? null : Math.max(0, Math.round((at.getTime() - promptAt.getTime()) / 1000));
}

const PROBLEMS: Readonly<Record<NonNullable<PastTurn["problem"]>, string>> = {
  missing: "is gone",
  unreadable: "cannot be read",
  "not-a-transcript": "is no longer a transcript of this agent",
  "too-large": "is too large to be read",
  empty: "is empty",
  shortened: "has been rewritten since",
};

function notesOnTurn({ problem }: Pick<PastTurn, "problem">): readonly string[] {
  return problem === null
    ? []
    : [`The transcript ${PROBLEMS[problem]}, so the calls of the turn cannot be shown, only the record.`];
}

function notesOnFiles({ changedFiles, changedFileCount }: StopTrail): readonly string[] {
  const kept = changedFiles?.length ?? 0;
  return changedFileCount !== null && changedFileCount > kept
    ? [`${changedFileCount} files had changed; the first ${kept} were recorded.`]
    : [];
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** Where a turn began, and what can still be read of it. */
export interface PastTurn {
  /** Why the turn cannot be read as it was; null if it can, or if the stop did not read it. */
  readonly problem: Extract<TurnAtStop, { readonly status: "refused" }>["reason"] | null;
  readonly transcriptPath: string | null;
  readonly promptAt: Date | null;
  /** The position of the prompt in the transcript, in bytes and, for JSON lines, as a line number. */
  readonly offset: number | null;
  readonly line: number | null;
  /** The beginning of the prompt. */
  readonly promptText: string | null;
  /** The turn as the stop saw it. */
  readonly timeline: TurnFacts;
}

const MAX_PROMPT_LENGTH = 80;
const MAX_REDACTED_LENGTH = 8192;

/** Reads the turn of a stop from the transcript position in its trail. */
function readPastTurn({ agent }: StoredStop, trail: StopTrail): PastTurn {
  const { transcriptPath, turnStart, readUpTo, promptAt } = trail;
  const place = { transcriptPath, promptAt, offset: turnStart };
  const unseen = { ...place, line: null, promptText: null, problem: null };
  if (transcriptPath === null || readUpTo === null)
    return { ...unseen, timeline: { hasData: false, toolCalls: [], reason: "missing" } };
  if (turnStart === null) return { ...unseen, timeline: seen([], null) };
  const turn = readTurnAtStop(transcriptPath, agent, { from: turnStart, to: readUpTo });
  if (turn.status === "refused")
    return { ...unseen, problem: turn.reason, timeline: { hasData: false, toolCalls: [], reason: "missing" } };
  return {
    ...place,
    problem: null,
    line: transcriptPath.endsWith(".jsonl") ? lineAt(transcriptPath, turnStart) : null,
    promptText: turn.promptText === null ? null : beginningOf(turn.promptText),
    timeline: seen(turn.toolCalls, turnStart),
  };
}

function seen(toolCalls: TurnFacts["toolCalls"], turnStart: number | null): TurnFacts {
  return { hasData: true, toolCalls, prompt: turnStart === null ? null : { timestamp: null }, isWhole: true };
}

function beginningOf(text: string): string {
  // Redacts more than is shown, because a truncated secret would slip past redaction.
  const words = redact(text.trimStart().slice(0, MAX_REDACTED_LENGTH)).trim().replaceAll(/\s+/g, " ");
  return words.length > MAX_PROMPT_LENGTH ? `${words.slice(0, MAX_PROMPT_LENGTH - 1)}…` : words;
}

const BLOCK = 1024 * 1024;
const NEWLINE = 0x0a;

/** The number of the line that starts at an offset, from 1. */
function lineAt(path: string, offset: number): number {
  const fd = openSync(path, "r");
  try {
    const block = Buffer.alloc(Math.min(BLOCK, Math.max(offset, 1)));
    let lines = 1;
    for (let at = 0; at < offset;) {
      const length = readSync(fd, block, 0, Math.min(block.length, offset - at), at);
      if (length === 0) break;
      for (
        let found = block.indexOf(NEWLINE);
        found !== -1 && found < length;
        found = block.indexOf(NEWLINE, found + 1)
      )
        lines += 1;
      at += length;
    }
    return lines;
  } finally {
    closeSync(fd);
  }
}
