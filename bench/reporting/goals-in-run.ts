import { readsTranscript } from "../alternatives/alternative-candidates.ts";
import type { ChosenCases } from "../choose-cases.ts";
import { type Build, idIn, isExecutable } from "../hook-cases.ts";
import { type GoalResult, goalsOf } from "./goals.ts";
import type { Measured } from "./rows.ts";

/** The goals of each build in a run; alternatives that read a transcript are held against the stop that reads the same. */
export function goalsInRun(
  { hook, alternatives }: ChosenCases,
  builds: readonly Build[],
  measured: Measured,
): readonly { readonly name: string; readonly results: readonly GoalResult[] }[] {
  const rivals = alternatives
    .filter(({ alternative }) => readsTranscript(alternative))
    .map(({ id, megabytes }) => ({ id, label: id, against: `block-${megabytes}` }));
  const cases = hook.map(({ id }) => id);
  return builds.map((build) => ({
    name: build.name === "" ? "" : `Build ${build.name}, ${build.program}\n`,
    results: goalsOf({ ...measured, cases, idOf: (id) => idIn(build, id), rivals, isExecutable: isExecutable(build) }),
  }));
}
