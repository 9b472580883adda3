import type { Action } from "@agent-checkpoint/categories";
import type { Sighting } from "../evidence/find-runs.ts";
import { PROGRAMS } from "../runs/programs.ts";
import { type ActionTrace, filesAskingFor, type StepTrace } from "../evidence/trace-action.ts";
import type { Turn } from "../turn/read-turn.ts";
import type { Weighing } from "../weigh-turn.ts";
import type { ActionExplanation, Candidate, CandidateVerdict, StepExplanation } from "./explanation.ts";
import { findMentions } from "./find-mentions.ts";
import { referToCall } from "./refer-to-call.ts";

/** What became of every action of the rules. */
export function explainActions(weighing: Weighing): readonly ActionExplanation[] {
  const { rules, gaps, turn } = weighing;
  return rules.actions.map((action): ActionExplanation => {
    const trace = gaps.traces.find((one) => one.action.id === action.id);
    return {
      id: action.id,
      status: trace === undefined ? "not-asked" : trace.isOpen ? "open" : "done",
      isBaseline: rules.baseline.includes(action.id),
      askedBy: filesAskingFor(action, weighing),
      lastChange: trace === undefined || turn === null ? null : explainChange(trace, turn),
      steps: trace === undefined ? [] : explainSteps(action, trace, turn),
    };
  });
}

function explainChange({ lastChange }: ActionTrace, turn: Turn): ActionExplanation["lastChange"] {
  const call = turn.calls.find(({ writes }) => lastChange !== null && writes.includes(lastChange));
  return lastChange === null || call === undefined ? null : { file: lastChange.file, call: referToCall(call) };
}

function explainSteps({ steps }: Action, trace: ActionTrace, turn: Turn | null): readonly StepExplanation[] {
  return steps.map(({ run }, index): StepExplanation => {
    const traced = trace.steps[index];
    if (turn === null) return { run, status: "unknown", candidates: [] };
    if (traced === undefined) return { run, status: "not-reached", candidates: [] };
    const before = trace.steps[index - 1];
    const judged = { traced, lateBy: before === undefined ? staleness(trace, turn) : tooEarly(before) };
    return { run, status: traced.evidence.status, candidates: candidatesOf(judged, turn) };
  });
}

interface JudgedStep {
  readonly traced: StepTrace;
  /** What is said of a run that came before its time. */
  readonly lateBy: CandidateVerdict;
}

function staleness({ lastChange }: ActionTrace, turn: Turn): CandidateVerdict {
  const call = turn.calls.find(({ writes }) => lastChange !== null && writes.includes(lastChange));
  return { status: "stale", file: lastChange?.file ?? "", changedBy: call?.number ?? 0 };
}

function tooEarly({ step }: StepTrace): CandidateVerdict {
  return { status: "too-early", before: step.run };
}

const TEST_CALLS: readonly string[] = [
  ...PROGRAMS.flatMap(({ kind, calls }) => (kind === "tests" ? calls : [])),
  ...["npm", "pnpm", "yarn", "bun run", "make", "just", "task", "cargo", "go", "mvn", "gradle"].map(
    (one) => `${one} test`,
  ),
];

/** Runs and mentions, in the order of the turn. */
function candidatesOf(judged: JudgedStep, turn: Turn): readonly Candidate[] {
  const { evidence } = judged.traced.step;
  const runs = judged.traced.sightings.map((sighting) => ({
    call: referToCall(sighting.call),
    verdict: verdictOn(sighting, judged),
  }));
  const seen = new Set(judged.traced.sightings.map(({ call }) => call));
  const mentions = findMentions(turn, evidence.length > 0 ? evidence : TEST_CALLS)
    .filter(({ call }) => !seen.has(call))
    .map(({ call, verdict }) => ({ call: referToCall(call), verdict }));
  return [...runs, ...mentions].toSorted((one, other) => one.call.number - other.call.number);
}

function verdictOn({ call, command, outcome }: Sighting, { traced, lateBy }: JudgedStep): CandidateVerdict {
  if (!command.isInProject) return { status: "elsewhere", folder: command.folder };
  if (outcome === "failed")
    return call.record.rejected ? { status: "refused" } : { status: "failed", exitCode: call.record.exitCode };
  if (outcome === "masked") return { status: "masked", by: command.maskedBy };
  if (outcome === "unfinished") return { status: "unfinished" };
  if (outcome === "empty") return { status: "empty" };
  if (command.order < traced.after) return lateBy;
  const { evidence } = traced;
  const isChosen = evidence.status === "found" && evidence.sighting.command === command;
  return { status: isChosen ? "counted" : "repeated" };
}
