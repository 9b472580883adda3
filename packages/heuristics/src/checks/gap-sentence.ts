import { type Action, asksForTests, type Categorization, type Rules, TESTS_ACTION } from "@agent-checkpoint/categories";
import type { Evidence } from "../evidence/find-evidence.ts";
import type { ActionTrace, StepTrace } from "../evidence/trace-action.ts";
import { inlineCode } from "../inline-code.ts";
import { plainWords } from "../plain-words.ts";

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
