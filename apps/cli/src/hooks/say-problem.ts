import type { SettingsProblem } from "@agent-checkpoint/agents";

/** Why a settings file is refused, and what to do. */
export function sayProblem({ line, column, expected, found }: SettingsProblem): {
  readonly problem: string;
  readonly advice: string;
} {
  return {
    problem: `line ${line}, column ${column}: expected ${expected}, found ${found}.`,
    advice: "The file was left as it is. Correct that place and run this again.",
  };
}
