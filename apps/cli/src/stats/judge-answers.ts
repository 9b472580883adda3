import { type Rules, TESTS_ACTION } from "@agent-checkpoint/categories";
import { assembleCheckpoint, MESSAGE_PREFIX } from "@agent-checkpoint/composer";
import {
  type CheckpointResult,
  findEvidence,
  findRuns,
  type ProjectPlace,
  readTurn,
} from "@agent-checkpoint/heuristics";
import type { StoredStop } from "@agent-checkpoint/store";
import { type PastTurn, readTurnAtStop, readTurns, type ToolCallRecord } from "@agent-checkpoint/transcript";
import type { Answer, Outcome, UnknownWhy } from "./build-stats.ts";

/** What the answers to a block are judged on. */
interface JudgedBlock {
  readonly stop: StoredStop;
  readonly followUp: FollowUp;
  /** The current rules of the project; null if they cannot be read. */
  readonly rules: Rules | null;
  readonly place: ProjectPlace;
  /** Whether the session has stopped again; until then, an open action may still be done. */
  readonly isOver: boolean;
}

/** What a block asked for and what the agent then did: judges the whole turn again, as the stop was judged. */
export function judgeAnswers(block: JudgedBlock): readonly Answer[] {
  const { stop, followUp, rules } = block;
  const asked = askedBy(stop);
  if (followUp.status === "unknown") return asked.map((one) => unknown(one, followUp.why));
  if (rules === null) return asked.map((one) => unknown(one, "rules-changed"));
  const atEnd = verdict(followUp.whole, block, rules);
  // What is open at the end was open at the stop.
  const atStop = asked.every((one) => isOpen(one, atEnd)) ? atEnd : verdict(followUp.before, block, rules);
  return asked.map((one) => {
    if (!isOpen(one, atEnd))
      return isOpen(one, atStop) ? { ...one, outcome: "done", why: null } : unknown(one, "rules-changed");
    const outcome = triedIn(one, { block, followUp, rules, atEnd });
    if (outcome === "ignored" && !block.isOver) return unknown(one, "still-running");
    return outcome === "ignored" && followUp.isCutShort ? unknown(one, "cut-short") : { ...one, outcome, why: null };
  });
}

type Asked = Pick<Answer, "rule" | "kind">;

/** The actions of the checklist, and the failures to resolve; other observations ask for nothing. */
function askedBy({ actions, observations }: StoredStop): readonly Asked[] {
  const hasFailure = observations.some(({ check }) => check === FAILURES);
  return [
    ...actions.map((rule) => ({ rule, kind: "action" as const })),
    ...(hasFailure ? [{ rule: FAILURES, kind: "check" as const }] : []),
  ];
}

const FAILURES = "failed-command";

function unknown(asked: Asked, why: UnknownWhy): Answer {
  return { ...asked, outcome: "unknown", why };
}

function verdict(toolCalls: readonly ToolCallRecord[], { stop, place }: JudgedBlock, rules: Rules): CheckpointResult {
  // What the agent changed after the block asks for tests of its own.
  const later = readTurn({ toolCalls }, place).changes.map(({ file }) => file);
  return assembleCheckpoint({
    rules: { ok: true, rules, configFile: null },
    changed: { ok: true, files: [...new Set([...(stop.trail?.changedFiles ?? []), ...later])] },
    timeline: { hasData: true, toolCalls, prompt: { timestamp: null }, isWhole: true },
    place,
    workingSlug: null,
    plan: null,
    promptAt: stop.trail?.promptAt ?? null,
    now: stop.at,
  }).result;
}

function isOpen({ rule, kind }: Asked, { actions, findings }: CheckpointResult): boolean {
  return kind === "action" ? actions.some(({ id }) => id === rule) : findings.some(({ check }) => check === rule);
}

/** An open rule was tried if one of its commands ran after the block, or if something failed again. */
function triedIn(
  { rule, kind }: Asked,
  {
    block,
    followUp,
    rules,
    atEnd,
  }: {
    readonly block: JudgedBlock;
    readonly followUp: Extract<FollowUp, { readonly status: "read" }>;
    readonly rules: Rules;
    readonly atEnd: CheckpointResult;
  },
): Outcome {
  const known = new Set(followUp.before.map(({ id }) => id));
  const isLater = (call: ToolCallRecord | undefined) => call !== undefined && !known.has(call.id);
  if (kind === "check") {
    const failures = atEnd.findings.filter(({ check }) => check === rule).flatMap(({ calls }) => calls);
    return failures.some((number) => isLater(followUp.whole[number - 1])) ? "partly" : "ignored";
  }
  const later = readTurn({ toolCalls: followUp.whole.filter(isLater) }, block.place);
  const steps = rules.actions.find(({ id }) => id === rule)?.steps ?? [];
  const wasTried = steps.some(({ evidence }) =>
    rule === TESTS_ACTION && evidence.length === 0
      ? findRuns(later, null).some((run) => run.kind === "test")
      : findEvidence(later, evidence, 0).status !== "absent",
  );
  return wasTried ? "partly" : "ignored";
}

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
