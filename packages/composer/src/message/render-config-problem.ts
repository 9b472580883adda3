import type { ConfigProblem } from "@agent-checkpoint/categories";
import { inlineCode } from "@agent-checkpoint/heuristics";
import { ENDING, GENERIC_ADVICE } from "./texts.ts";

const MAX_PROBLEMS = 3;

/** The generic message with what is wrong in the config file: where, what was expected and what was found. */
export function renderConfigProblem(problems: readonly ConfigProblem[]): string {
  const lines = problems.slice(0, MAX_PROBLEMS).map(({ file, key, expected, found }) => {
    const where = key === "" ? inlineCode(file) : `${inlineCode(file)}, ${inlineCode(key)}`;
    return `- ${where}: expected ${inlineCode(expected)}, found ${inlineCode(found)}`;
  });
  const section = ["The rules of this checkpoint could not be used:", ...lines].join("\n");
  return [GENERIC_ADVICE, section, ENDING].join("\n\n");
}
