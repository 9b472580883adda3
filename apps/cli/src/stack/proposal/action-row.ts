import type { ActionEntry } from "@agent-checkpoint/categories";
import type { StackCommand } from "../stack.ts";
import { listPlaces, type ProposedRow } from "./proposed-row.ts";

const MOST_RUNS = 3;
/** The longest line that a config may hold. */
const LONGEST = 300;

/** An action that is done by a command, or by one of several in different folders. */
export function actionRow(id: string, commands: readonly StackCommand[]): readonly ProposedRow<ActionEntry>[] {
  const runs = runsOf(commands);
  return rowOf({ id, ...within(runs.length > 1 ? `Run ${joined(runs, "or")}, where it changed` : null) }, commands);
}

/** The action that runs tests: those of the change will do. */
export function testsRow(
  id: string,
  what: string,
  commands: readonly StackCommand[],
): readonly ProposedRow<ActionEntry>[] {
  const words = `Run targeted tests for ${what} (all of them: ${joined(runsOf(commands), "and")})`;
  return rowOf({ id, stage: "validate", ...within(words) }, commands);
}

/** Any of the commands is evidence: words alone do not tell which folder was meant. */
function rowOf(entry: ActionEntry, commands: readonly StackCommand[]): readonly ProposedRow<ActionEntry>[] {
  const [first] = commands;
  if (first === undefined || first.run.length > LONGEST) return [];
  const evidence = [...new Set(commands.flatMap((command) => command.evidence))].filter(
    (words) => words.length <= LONGEST,
  );
  return [
    {
      entry: { ...entry, steps: [{ run: first.run, evidence }] },
      where: listPlaces(commands.map(({ where }) => where)),
    },
  ];
}

function runsOf(commands: readonly StackCommand[]): readonly string[] {
  return [...new Set(commands.map(({ run }) => `\`${run}\``))].slice(0, MOST_RUNS);
}

function joined(words: readonly string[], last: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

function within(instruction: string | null): Pick<ActionEntry, "instruction"> {
  return instruction === null || instruction.length > LONGEST ? {} : { instruction };
}
