import { ALTERNATIVE_CASES, type AlternativeCase } from "./alternatives/alternative-candidates.ts";
import { HOOK_CASES, type HookCase } from "./hook-cases.ts";
import type { Options } from "./options.ts";
import type { Place } from "./staging/stage.ts";

/** What is measured beside the floor. */
export interface ChosenCases {
  readonly hook: readonly HookCase[];
  readonly alternatives: readonly AlternativeCase[];
  /** A blocking stop of each repository that git is measured in. */
  readonly git: readonly HookCase[];
}

const QUICK: Place = { files: 10_000, megabytes: 50 };
/** In a large repository nearly all of a stop's time is git's, which no change of ours is to blame for. */
const RECORDED: Place = { files: 100, megabytes: 500 };

/** The cases that a run asks for. */
export function chooseCases({ only, isQuick, hasAlternatives, task }: ChoiceOptions): ChosenCases {
  const limits = [...(isQuick ? [QUICK] : []), ...(task === "measure" ? [] : [RECORDED])];
  const isAsked = ({ id, files, megabytes }: Place & { readonly id: string }): boolean =>
    (only === null || only.some((word) => id === word || id.startsWith(`${word}-`))) &&
    limits.every((most) => files <= most.files && megabytes <= most.megabytes);
  const hook = HOOK_CASES.filter(isAsked);
  // Git does not care for our config.
  const blocking = hook.filter(({ answer, hasConfig }) => answer === "block" && hasConfig !== true);
  return {
    hook,
    alternatives: hasAlternatives ? ALTERNATIVE_CASES.filter(isAsked) : [],
    git: [...new Map(blocking.map((one) => [one.files, one])).values()],
  };
}

type ChoiceOptions = Pick<Options, "only" | "isQuick" | "hasAlternatives" | "task">;
