import {
  type Action,
  type ActionStep,
  asksForTests,
  type Categorization,
  type Category,
  isInCategory,
  type Rules,
  TESTS_ACTION,
} from "@agent-checkpoint/categories";
import type { ProjectPlace } from "../turn/project-path.ts";
import type { FileChange, Turn } from "../turn/read-turn.ts";
import type { RepositoryFacts } from "../types.ts";
import { type Evidence, findSightings, latestOf } from "./find-evidence.ts";
import type { FoundRun, Sighting } from "./find-runs.ts";
import { filesToTest, testRuns, traceTests } from "./trace-tests.ts";

/** How an action was looked for in a turn. */
export interface ActionTrace {
  readonly action: Action;
  /** Where the turn last changed a file that the action is about; evidence from before it is stale. */
  readonly lastChange: FileChange | null;
  /** The steps that were looked for: all up to the first one without evidence. */
  readonly steps: readonly StepTrace[];
  /** Whether something of it is still to be done. */
  readonly isOpen: boolean;
}

/** One step of an action and what the turn shows of it. */
export interface StepTrace {
  readonly step: ActionStep;
  /** The place in the turn before which a run does not count. */
  readonly after: number;
  readonly evidence: Evidence;
  /** Every run that might have been it. */
  readonly sightings: readonly Sighting[];
}

export interface TraceInput {
  readonly files: Categorization;
  readonly rules: Rules;
  /** Null without a transcript: then there is nothing to look for evidence in. */
  readonly turn: Turn | null;
  /** What the turn ran. */
  readonly runs: readonly FoundRun[];
  readonly facts: RepositoryFacts | null;
  readonly place: ProjectPlace;
}

/** The changed files that ask for an action. */
export function filesAskingFor({ id }: Action, input: Omit<TraceInput, "runs" | "place">): readonly string[] {
  if (id === TESTS_ACTION) return filesToTest(input);
  return [...new Set(input.files.matches.flatMap(({ category, files }) => (category.action === id ? files : [])))];
}

/** Looks for the steps of an action, each after the one before it; the first without evidence is where it has to go on. */
export function traceAction(action: Action, input: TraceInput): ActionTrace {
  const { turn } = input;
  if (turn === null) return { action, lastChange: null, steps: [], isOpen: true };
  const [only, ...others] = action.steps;
  const isTests = action.id === TESTS_ACTION;
  if (isTests && only?.evidence.length === 0 && others.length === 0)
    return traceTests(action, only, { ...input, turn });
  const lastChange = findLastChange(action, { ...input, turn });
  const steps: StepTrace[] = [];
  let after = (lastChange?.order ?? 0) + 1;
  for (const step of action.steps) {
    const sightings = isTests ? testRuns(step, { ...input, turn }) : findSightings(turn, step.evidence);
    const evidence = latestOf(
      sightings.filter(({ command }) => command.isInProject),
      after,
    );
    steps.push({ step, after, evidence, sightings });
    if (evidence.status !== "found") return { action, lastChange, steps, isOpen: true };
    after = evidence.sighting.command.order;
  }
  return { action, lastChange, steps, isOpen: false };
}

function findLastChange(action: Action, { files, rules, turn }: TraceInput & { turn: Turn }): FileChange | null {
  const withoutRule = new Set(files.withoutRule);
  const concerns = (file: string) =>
    rules.categories.some(
      (category) => isInCategory(file, category) && concernsAction(file, category, action, rules),
    ) ||
    (withoutRule.has(file) && (action.id === TESTS_ACTION || rules.baseline.includes(action.id)));
  return turn.changes.findLast(({ file }) => concerns(file)) ?? null;
}

function concernsAction(file: string, category: Category, { id }: Action, { baseline }: Rules): boolean {
  return category.action === id || baseline.includes(id) || (id === TESTS_ACTION && asksForTests(file, category));
}
