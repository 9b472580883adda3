import { type Rules, TESTS_ACTION } from "@agent-checkpoint/categories";
import {
  type CheckpointResult,
  findEvidence,
  findRuns,
  type ProjectPlace,
  readTurn,
  runHeuristics,
} from "@agent-checkpoint/heuristics";
import type { StoredStop } from "@agent-checkpoint/store";
import type { ToolCallRecord, TurnTimeline } from "@agent-checkpoint/transcript";
import type { FollowUp } from "./follow-up.ts";
import { observationCheck } from "./observation-check.ts";
import type { Answer, Outcome, UnknownWhy } from "./outcome.ts";

/** What the answers to a block are judged with. */
export interface JudgedBlock {
  readonly stop: StoredStop;
  readonly followUp: FollowUp;
  /** The rules of the project as they are today; null where they cannot be read. */
  readonly rules: Rules | null;
  readonly place: ProjectPlace;
  /** Whether the session has stopped again: before that, what was not done may still be done. */
  readonly isOver: boolean;
}

/** What a block asked for and what the agent then did: the whole turn is judged again as its stop was. */
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

/** The actions of the checklist, and the failures that were to be made good; other observations ask for nothing. */
function askedBy({ actions, observations }: StoredStop): readonly Asked[] {
  const hasFailure = observations.some((text) => observationCheck(text) === FAILURES);
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
  const timeline = timelineOf(toolCalls);
  // What the agent changed after the block asks for tests of its own.
  const later = readTurn(timeline, place).changes.map(({ file }) => file);
  return runHeuristics([...new Set([...(stop.trail?.changedFiles ?? []), ...later])], timeline, {
    ...place,
    agentName: stop.agent,
    rules,
    workingSlug: null,
    promptAt: stop.trail?.promptAt ?? null,
    now: stop.at,
  });
}

function isOpen({ rule, kind }: Asked, { actions, findings }: CheckpointResult): boolean {
  return kind === "action" ? actions.some(({ id }) => id === rule) : findings.some(({ check }) => check === rule);
}

/** What is still open was tried if one of its commands ran after the block, or if something failed again. */
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
  const later = readTurn(timelineOf(followUp.whole.filter(isLater)), block.place);
  const steps = rules.actions.find(({ id }) => id === rule)?.steps ?? [];
  const wasTried = steps.some(({ evidence }) =>
    rule === TESTS_ACTION && evidence.length === 0
      ? findRuns(later, null).some((run) => run.kind === "tests")
      : findEvidence(later, evidence, 0).status !== "absent",
  );
  return wasTried ? "partly" : "ignored";
}

function timelineOf(toolCalls: readonly ToolCallRecord[]): TurnTimeline {
  const prompt = { offset: 0, digest: "", timestamp: null, id: null };
  return { hasData: true, toolCalls, prompt, isWhole: true, skippedLines: 0, size: 0 };
}
