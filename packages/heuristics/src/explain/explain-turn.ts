import { type Action, asksForTests, type CategoryMatch, matchesAny } from "@agent-checkpoint/categories";
import { findSightings, namesEvidence } from "../evidence/find-evidence.ts";
import type { Sighting } from "../evidence/find-runs.ts";
import { type ActionTrace, filesAskingFor, type StepTrace } from "../evidence/trace-action.ts";
import { commandShape, PROGRAMS, shapeOfWords } from "@agent-checkpoint/commands";
import type { Turn, TurnCall } from "../turn/read-turn.ts";
import type { CheckpointContext, TurnFacts } from "../types.ts";
import { verdictOf, type Weighing, weighTurn } from "../weigh-turn.ts";
import type {
  ActionExplanation,
  CallReference,
  Candidate,
  CandidateVerdict,
  Explanation,
  FileExplanation,
  PatternMatch,
  StepExplanation,
} from "./explanation.ts";

/** Explains the verdict of `runHeuristics` on the same turn: which file matched which pattern, which call counts as evidence, and why others do not. */
export function explainTurn(gitFiles: readonly string[], timeline: TurnFacts, context: CheckpointContext): Explanation {
  const weighing = weighTurn(gitFiles, timeline, context);
  const calls = weighing.turn?.calls ?? [];
  return {
    result: verdictOf(weighing),
    files: explainFiles(weighing),
    actions: explainActions(weighing),
    observations: weighing.findings.map((finding) => ({
      ...finding,
      calls: calls.filter(({ number }) => finding.calls.includes(number)).map(referToCall),
    })),
    callCount: weighing.turn === null ? null : calls.length,
  };
}

/** Which patterns each changed file matched, in the order of the files. */
export function explainFiles({ changedFiles, files, rules }: Weighing): readonly FileExplanation[] {
  const documents = new Set(files.documents);
  return changedFiles.map((file): FileExplanation => {
    const matches = files.matches.filter((match) => match.files.includes(file)).map((match) => patternOf(file, match));
    if (matches.length > 0) return { file, status: "covered", matches };
    if (documents.has(file)) return { file, status: "document", pattern: firstMatch(file, rules.docs) };
    return { file, status: "without-rule" };
  });
}

function patternOf(file: string, { category }: CategoryMatch): PatternMatch {
  return {
    category: category.id,
    label: category.label,
    pattern: firstMatch(file, category.include),
    action: category.action,
    asksForTests: asksForTests(file, category),
  };
}

function firstMatch(file: string, globs: readonly string[]): string {
  return narrowPattern(globs.find((glob) => matchesAny(file, [glob])) ?? "", file);
}

/** The state of every action of the rules. */
export function explainActions(weighing: Weighing): readonly ActionExplanation[] {
  const { rules, gaps, turn } = weighing;
  return rules.actions.map((action): ActionExplanation => {
    const trace = gaps.traces.find((one) => one.action.id === action.id);
    return {
      id: action.id,
      status: trace === undefined ? "not-asked" : trace.isOpen ? "open" : "done",
      mode: weighing.modeOf(action.id),
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
  /** The judgement of a run that came too early. */
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
  ...PROGRAMS.flatMap(({ kind, calls }) => (kind === "test" ? calls : [])),
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

/** A call whose line contains a wanted command's words without running it. */
export interface Mention {
  readonly call: TurnCall;
  readonly verdict: Extract<CandidateVerdict, { readonly status: "mentioned" | "dry-run" }>;
}

/** The calls that look like one of the commands but are not: an `echo`, a commit message, a comment, a dry run. */
export function findMentions(turn: Turn, commands: readonly string[]): readonly Mention[] {
  const runs = new Set(findSightings(turn, commands).map(({ call }) => call));
  return turn.calls
    .filter((call) => call.record.kind === "shell" && !runs.has(call))
    .flatMap((call) => {
      const verdict = mentionIn(call, commands);
      return verdict === null ? [] : [{ call, verdict }];
    });
}

function mentionIn({ record, commands: run }: TurnCall, commands: readonly string[]): Mention["verdict"] | null {
  if (run.some(({ argv }) => commands.some((wanted) => namesEvidence(argv, wanted)))) return { status: "dry-run" };
  const words = commands.map(wordsOf);
  const isNamed = (text: string) => words.some((pattern) => pattern.test(text));
  if (!isNamed(record.command ?? "")) return null;
  const naming = run.find(({ argv }) => isNamed(argv.slice(1).join(" ")));
  return { status: "mentioned", by: naming === undefined ? null : shapeOfWords(naming.argv.slice(0, 1)) };
}

/** The words of a command in sequence, not as parts of longer words. */
function wordsOf(command: string): RegExp {
  const words = command
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (words.length === 0) return NEVER;
  return new RegExp(String.raw`(?<![\w./-])${words.join(String.raw`\s+`)}(?![\w/-]|\.\w)`);
}

const NEVER = /(?!)/;

const ALTERNATIVES = /\{([^{}]*,[^{}]*)\}/;

/** More choices than the globs of a preset have; a config may nest them arbitrarily. */
const MAX_CHOICES = 10_000;

/** A pattern without the alternatives that a file did not need: `*.{js,ts}` matched by `a.ts` becomes `*.ts`. */
export function narrowPattern(pattern: string, file: string): string {
  let left = MAX_CHOICES;
  for (const choice of choicesOf(pattern)) {
    if (matchesAny(file, [choice])) return choice;
    left -= 1;
    if (left === 0) break;
  }
  return pattern;
}

/** Every combination of one alternative per group. */
function* choicesOf(pattern: string): Generator<string> {
  const [text, list] = ALTERNATIVES.exec(pattern) ?? [];
  if (text === undefined || list === undefined) yield pattern;
  else for (const word of list.split(",")) yield* choicesOf(pattern.replace(text, () => word));
}

/** Names a call of the turn for a person. */
export function referToCall({ number, record, reads, writes }: TurnCall): CallReference {
  const { id, kind, command, toolName, files, timestamp, by } = record;
  const file = [...writes, ...reads][0]?.file ?? files[0];
  const what =
    kind === "shell" && command !== null ? commandShape(command) : [toolName, file ?? ""].join(" ").trimEnd();
  return { number, id, what, at: timestamp, by };
}
