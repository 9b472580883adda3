import {
  type Action,
  asksForTests,
  type Categorization,
  type Category,
  isInCategory,
  type Rules,
  TESTS_ACTION,
} from "@agent-checkpoint/categories";
import { type Evidence, findEvidence } from "../evidence/find-evidence.ts";
import { inlineCode } from "../inline-code.ts";
import type { Turn } from "../turn/read-turn.ts";
import type { Observation, RequiredAction } from "../types.ts";

/** What is known when actions are checked. */
export interface GapInput {
  readonly files: Categorization;
  readonly rules: Rules;
  /** Null without a transcript: then every action is asked for and nothing is said about evidence. */
  readonly turn: Turn | null;
  /** Whether the turn was read from its beginning; else the absence of a command proves nothing. */
  readonly isWhole: boolean;
  /** The time since the prompt, such as `2m`. */
  readonly window: string;
}

/** The actions that are still to be done, in the order of the checklist, with why each is asked for. */
export function verificationGaps(input: GapInput): {
  actions: readonly RequiredAction[];
  observations: readonly Observation[];
} {
  const gaps = input.rules.actions.filter((action) => isAsked(action, input)).flatMap((action) => gapOf(action, input));
  return {
    actions: gaps.map(({ action }) => action),
    observations: gaps.flatMap(({ observation }) => (observation === null ? [] : [observation])),
  };
}

function isAsked({ id }: Action, { files, rules }: GapInput): boolean {
  if (rules.baseline.includes(id)) return true;
  if (id === TESTS_ACTION) return files.tested.length > 0;
  return files.matches.some(({ category }) => category.action === id);
}

interface Gap {
  readonly action: RequiredAction;
  readonly observation: Observation | null;
}

/** The first step without evidence is where the action has to go on. */
function gapOf(action: Action, input: GapInput): readonly Gap[] {
  const whole = instructionOf(action, input);
  if (input.turn === null) return [{ action: { id: action.id, instruction: whole }, observation: null }];
  let after = lastChange(action, input) + 1;
  for (const [index, step] of action.steps.entries()) {
    const evidence = findEvidence(input.turn, step.evidence, after);
    if (evidence.status !== "found") {
      const instruction =
        index === 0
          ? whole
          : `Run ${action.steps
              .slice(index)
              .map(({ run }) => `\`${run}\``)
              .join(" then ")}`;
      const isSaid = input.rules.checks["verification-gap"] && (input.isWhole || evidence.status !== "absent");
      const observation = isSaid ? observe(action, { index, evidence }, input) : null;
      return [{ action: { id: action.id, instruction }, observation }];
    }
    after = evidence.order;
  }
  return [];
}

function instructionOf({ id, instruction }: Action, { files, window }: GapInput): string {
  const alone =
    id === TESTS_ACTION && files.isTestsOnly ? files.matches.find(({ category }) => category.alone) : undefined;
  return (alone?.category.alone?.instruction ?? instruction).replaceAll("{window}", window);
}

/** Where the turn last changed a file that the action is about; evidence from before it is stale. */
function lastChange(action: Action, { files, rules, turn }: GapInput): number {
  const withoutRule = new Set(files.withoutRule);
  const concerns = (file: string) =>
    rules.categories.some(
      (category) => isInCategory(file, category) && concernsAction(file, category, action, rules),
    ) ||
    (withoutRule.has(file) && (action.id === TESTS_ACTION || rules.baseline.includes(action.id)));
  return turn?.changes.findLast(({ file }) => concerns(file))?.order ?? 0;
}

function concernsAction(file: string, category: Category, { id }: Action, { baseline }: Rules): boolean {
  return category.action === id || baseline.includes(id) || (id === TESTS_ACTION && asksForTests(file, category));
}

function observe(
  action: Action,
  { index, evidence }: { readonly index: number; readonly evidence: Evidence },
  { files, rules }: GapInput,
): Observation {
  const step = action.steps[index];
  const before = action.steps[index - 1];
  const command = step === undefined ? action.id : (step.called ?? inlineCode(step.run));
  const what = rules.baseline.includes(action.id) ? null : subjectOf(action, files);
  const text = before
    ? `${inlineCode(before.run)} was run but ${seen(command, evidence)} after it.`
    : sentence(what, command, evidence);
  return { check: "verification-gap", text, isFailure: false };
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
  return `${command} was not observed`;
}

/** `Daemon code and config were`: the categories that ask for the action, as the subject of a sentence. */
function subjectOf({ id }: Action, files: Categorization): string {
  const asking = files.matches.filter(({ category, files: own }) =>
    id === TESTS_ACTION ? own.some((file) => asksForTests(file, category)) : category.action === id,
  );
  const labels = asking.map(({ category }) => category.label);
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
