import {
  type Action,
  asksForTests,
  type Categorization,
  type RuleMode,
  type Rules,
  TESTS_ACTION,
} from "@agent-checkpoint/categories";
import { languagesOfFile } from "@agent-checkpoint/reports";
import type { Evidence } from "../evidence/find-evidence.ts";
import { agree } from "../evidence/find-runs.ts";
import {
  type ActionTrace,
  factsOf,
  filesAskingFor,
  type StepTrace,
  traceAction,
  type TraceInput,
} from "../evidence/trace-action.ts";
import { inlineCode, plainWords } from "../foreign-text.ts";
import { shapeOfWords } from "@agent-checkpoint/commands";
import type { CheckpointContext, CheckpointResult, Observation, RequiredAction, TurnFacts } from "../types.ts";

/** What is known when actions are checked. */
export interface GapInput extends TraceInput {
  /** Whether the turn was read from its beginning; else the absence of a command proves nothing. */
  readonly isWhole: boolean;
  /** The time since the prompt, such as `2m`. */
  readonly window: string;
  /** How loud an action is. */
  readonly modeOf: (action: string) => RuleMode;
}

/** The state of the actions that are asked for. */
export interface Gaps {
  /** Every action that is asked for, done or not, mentioned or not, in the order of the checklist. */
  readonly traces: readonly ActionTrace[];
  /** Those that are still to be done, and may block. */
  readonly actions: readonly RequiredAction[];
  /** Why each of those is asked for. */
  readonly observations: readonly Observation[];
  /** Those that are still to be done, and may not block. */
  readonly quiet: CheckpointResult["quiet"];
}

/** The actions that are still to be done, in the order of the checklist, with why each is asked for. */
export function verificationGaps(input: GapInput): Gaps {
  const traces = input.rules.actions
    .filter((action) => input.modeOf(action.id) !== "off" && isAsked(action, input))
    .map((action) => traceAction(action, input));
  const open = traces
    .filter(({ isOpen }) => isOpen)
    .map((trace) => ({ trace, id: trace.action.id, mode: input.modeOf(trace.action.id) }));
  return {
    traces,
    actions: open
      .filter(({ mode }) => mode === "require")
      .map(({ trace, id }) => ({ id, instruction: instructionOf(trace, input) })),
    observations: open.filter(({ mode }) => mode !== "shadow").flatMap(({ trace }) => observe(trace, input)),
    quiet: Object.fromEntries(
      open.flatMap(({ id, mode }) => (mode === "advise" || mode === "shadow" ? [[id, mode]] : [])),
    ),
  };
}

function isAsked(action: Action, input: GapInput): boolean {
  return input.rules.baseline.includes(action.id) || filesAskingFor(action, input).length > 0;
}

/** The whole action, or what is left of it after the steps that were seen. */
function instructionOf(trace: ActionTrace, input: GapInput): string {
  const { action, steps } = trace;
  const { files, window } = input;
  if (steps.length > 1) {
    const left = action.steps.slice(steps.length - 1).map(({ run }) => `\`${run}\``);
    return `Run ${left.join(" then ")}`;
  }
  const alone =
    action.id === TESTS_ACTION && files.isTestsOnly ? files.matches.find(({ category }) => category.alone) : undefined;
  const asked = (alone?.category.alone?.instruction ?? action.instruction).replaceAll("{window}", window);
  const command = action.id === TESTS_ACTION ? commandToRun(trace, input) : null;
  const code = command === null ? "" : inlineCode(command, 120);
  return asked.includes(code) ? asked : `${asked}: ${code}`;
}

/** The command to name for open tests: the one that was green before the change, else the one that the repository declares. */
function commandToRun({ steps, lastChange }: ActionTrace, { facts }: GapInput): string | null {
  const [traced] = steps;
  if (traced === undefined || traced.step.evidence.length > 0) return null;
  const { evidence } = traced;
  if (evidence.status === "stale") return shapeOfWords(evidence.sighting.command.argv);
  const changed = lastChange?.file ?? "";
  const other = facts === null ? null : factsOf(changed, facts);
  const isElsewhere = other !== null || /^(?:\/|[A-Za-z]:\/)/.test(changed);
  const file = other?.path ?? changed;
  const languages = languagesOfFile(file);
  const own = ((isElsewhere ? other?.facts : facts)?.commands ?? []).filter(
    ({ kind, folder, languages: of }) =>
      kind === "test" && agree(of, languages) && (folder === "" || file.startsWith(`${folder}/`)),
  );
  const [best] = own.toSorted((one, other) => other.folder.length - one.folder.length);
  if (best === undefined) return null;
  const folder = [...(other === null ? [] : [other.root]), ...(best.folder === "" ? [] : [best.folder])].join("/");
  return folder === "" ? best.command : `cd ${folder} && ${best.command}`;
}

function observe(trace: ActionTrace, input: GapInput): readonly Observation[] {
  const missing = trace.steps.at(-1);
  if (missing === undefined || !input.rules.checks["verification-gap"]) return [];
  const { evidence } = missing;
  if (evidence.status === "absent" && !input.isWhole) return [];
  const calls = evidence.status === "absent" ? [] : [evidence.sighting.call.number];
  return [{ check: "verification-gap", text: gapSentence(trace, missing, input), isFailure: false, calls }];
}

/** Why an action is still open, in one sentence: what was changed, and what was seen of the step that is missing. */
export function gapSentence(
  { action, steps }: ActionTrace,
  { step, evidence }: StepTrace,
  { files, rules }: { readonly files: Categorization; readonly rules: Rules },
): string {
  const before = steps.at(-2);
  const command = step.called ?? inlineCode(step.run);
  if (before !== undefined) return `${inlineCode(before.step.run)} was run but ${seen(command, evidence)} after it.`;
  return sentence(rules.baseline.includes(action.id) ? null : subjectOf(action, files), command, evidence);
}

function sentence(what: string | null, command: string, evidence: Evidence): string {
  if (evidence.status === "stale") {
    return what === null
      ? `Files were changed after ${command} was last seen.`
      : `${what} modified after ${command} was last seen.`;
  }
  return what === null
    ? `${capital(seen(command, evidence))} this turn.`
    : `${what} modified but ${seen(command, evidence)} this turn.`;
}

function seen(command: string, { status }: Evidence): string {
  if (status === "failed") return `${command} did not succeed`;
  if (status === "masked") return `the exit status of ${command} was masked, so its success was not observed`;
  if (status === "unfinished") return `${command} was not seen to finish`;
  if (status === "empty") return `${command} ran no tests`;
  return `${command} was not observed`;
}

/** `Daemon code and config were`: the categories that ask for the action, as the subject of a sentence. */
function subjectOf({ id }: Action, files: Categorization): string {
  const asking = files.matches.filter(({ category, files: own }) =>
    id === TESTS_ACTION ? own.some((file) => asksForTests(file, category)) : category.action === id,
  );
  const labels = asking.map(({ category }) => plainWords(category.label));
  if (id === TESTS_ACTION && files.withoutRule.length > 0) labels.push("files without a rule");
  const isPlural = labels.length !== 1 || labels[0] === "files without a rule" || asking[0]?.category.plural === true;
  return `${capital(listed(labels))} ${isPlural ? "were" : "was"}`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const MIN_MINUTES = 2;

/** How far back the logs are to be read: whole minutes from the opening prompt to the stop, at least two. */
export function logWindow(timeline: TurnFacts, { promptAt, now }: CheckpointContext): string {
  const start = promptAt ?? (timeline.hasData ? timeline.prompt?.timestamp : null) ?? null;
  if (start === null || now === undefined) return `${MIN_MINUTES}m`;
  const minutes = Math.ceil((now.getTime() - start.getTime()) / 60_000);
  return `${Number.isFinite(minutes) ? Math.max(MIN_MINUTES, minutes) : MIN_MINUTES}m`;
}
