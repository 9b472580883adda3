import { parseCommandLine } from "@agent-checkpoint/heuristics";
import { proves } from "../../config/check-config.ts";
import type { CiCommand, StackCommand } from "../stack.ts";
import { startsWith } from "../tasks/task.ts";

/** Of the ways to run tests the one that CI takes, else the plainest; each of them counts as evidence. */
export function chooseTests(ways: readonly StackCommand[], ci: readonly CiCommand[]): StackCommand | null {
  const used =
    ways.find(({ run }) => ci.some(({ argv }) => isRun(argv, run))) ??
    ways.find(({ evidence }) => ci.some(({ argv }) => proves(argv.join(" "), evidence)));
  const chosen = used ?? ways[0];
  if (chosen === undefined) return null;
  const evidence = [...new Set([chosen, ...ways].flatMap((way) => way.evidence))];
  return { run: chosen.run, evidence, where: chosen.where };
}

/** Whether a command is the one that is asked for, whatever part of the tests it is about. */
function isRun(argv: readonly string[], run: string): boolean {
  const wanted = parseCommandLine(run).at(-1)?.argv ?? [];
  return startsWith(argv, wanted.filter((word) => !word.startsWith("./")).join(" "));
}
