import { type ConfigProblem, describeProblem } from "@agent-checkpoint/categories";
import { inlineCode } from "@agent-checkpoint/heuristics";
import { GENERIC_MESSAGE } from "./texts.ts";

const MOST_PROBLEMS = 3;

/** The generic message with what is wrong in the config file. */
export function renderConfigProblem(problems: readonly ConfigProblem[]): string {
  const lines = problems.slice(0, MOST_PROBLEMS).map((problem) => `- ${inlineCode(describeProblem(problem), 300)}`);
  return [GENERIC_MESSAGE, ["The checkpoint's own rules could not be read:", ...lines].join("\n")].join("\n\n");
}
