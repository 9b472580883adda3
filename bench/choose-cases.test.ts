import { expect, test } from "vitest";
import { chooseCases } from "./choose-cases.ts";

const ALL = { only: null, isQuick: false, hasAlternatives: true, task: "measure" } as const;

const HOOK =
  "flag timer prompt-first prompt-later pass block-0.1 block-1 block-10 block-50 block-500 timer-config prompt-config block-config files-10000 files-100000";
const OTHERS = "bash-jq-1 bash-jq-50 probity-1 probity-50 tdd-guard cc-safety-net lefthook";

const CASES = [
  { run: "everything", options: ALL, hook: HOOK, others: OTHERS, git: "block-500 files-10000 files-100000" },
  {
    run: "without alternatives",
    options: { ...ALL, hasAlternatives: false },
    hook: HOOK,
    others: "",
    git: "block-500 files-10000 files-100000",
  },
  {
    run: "some, by id and by first word",
    options: { ...ALL, only: ["flag", "prompt", "block-50", "probity"] },
    hook: "flag prompt-first prompt-later block-50 prompt-config",
    others: "probity-1 probity-50",
    git: "block-50",
  },
  {
    run: "quick",
    options: { ...ALL, isQuick: true, hasAlternatives: false },
    hook: "flag timer prompt-first prompt-later pass block-0.1 block-1 block-10 block-50 timer-config prompt-config block-config files-10000",
    others: "",
    git: "block-50 files-10000",
  },
  {
    run: "the check",
    options: { ...ALL, task: "check" as const, hasAlternatives: false },
    hook: "flag timer prompt-first prompt-later pass block-0.1 block-1 block-10 block-50 block-500 timer-config prompt-config block-config",
    others: "",
    git: "block-500",
  },
  {
    run: "the record",
    options: { ...ALL, task: "record" as const, hasAlternatives: false },
    hook: "flag timer prompt-first prompt-later pass block-0.1 block-1 block-10 block-50 block-500 timer-config prompt-config block-config",
    others: "",
    git: "block-500",
  },
];

test.for(CASES)("$run", ({ options, hook, others, git }) => {
  const chosen = chooseCases(options);
  const ids = (cases: readonly { readonly id: string }[]): string => cases.map(({ id }) => id).join(" ");
  expect({ hook: ids(chosen.hook), others: ids(chosen.alternatives), git: ids(chosen.git) }).toEqual({
    hook,
    others,
    git,
  });
});
