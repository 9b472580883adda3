import type { CheckId } from "@agent-checkpoint/categories";

/** The words by which each check's sentences are known; what stands in backticks is foreign and not looked at. */
const SENTENCES: readonly { readonly check: CheckId; readonly pattern: RegExp }[] = [
  {
    check: "failed-command",
    pattern:
      /^(?:Import errors remain|Syntax errors remain|Test failures remain|Python errors remain|A command returned errors): /,
  },
  { check: "edit-without-read", pattern: /^`…` was edited without being read this turn\.$/ },
  { check: "wide-change", pattern: /^Changes span multiple subsystems / },
  { check: "working-slug", pattern: /^None of the changed files is in the plan of / },
  { check: "config-changed", pattern: /^`…` was changed this turn, and this checkpoint follows the changed rules\.$/ },
  {
    check: "verification-gap",
    pattern:
      /(?:not observed|did not succeed|not seen to finish|success was not observed) (?:this turn|after it)\.$|was last seen\.$/,
  },
];

/** Which check made an observation, by its sentence; null where a version of the past had other words. */
export function observationCheck(sentence: string): CheckId | null {
  const own = sentence.replaceAll(/`[^`]*`/g, "`…`");
  return SENTENCES.find(({ pattern }) => pattern.test(own))?.check ?? null;
}
