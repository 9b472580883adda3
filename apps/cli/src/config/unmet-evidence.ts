import type { Config, ConfigProblem, NamedConfig, StepEntry } from "@agent-checkpoint/categories";
import { parseCommandLine } from "@agent-checkpoint/heuristics";
import { proves } from "./proves.ts";

/**
 * Evidence that no command could ever meet, so that its action would be asked for at every stop.
 * Stops see each part of `cd api && make test` alone.
 */
export function unmetEvidence({ file, config }: NamedConfig): readonly ConfigProblem[] {
  return commandsIn(config)
    .filter(({ command }) => !proves(command, [command]))
    .map(({ key, command }) => ({
      file,
      key,
      expected: `the command as stops see it${suggestion(command)}`,
      found: JSON.stringify(command),
    }));
}

interface KeyedCommand {
  readonly key: string;
  readonly command: string;
}

function commandsIn({ actions = [] }: Config): readonly KeyedCommand[] {
  return actions.flatMap(({ off, steps = [] }, index) =>
    off === true ? [] : steps.flatMap((step, at) => commandsOf(step, `actions[${index}].steps[${at}]`)),
  );
}

/** A step's evidence; the command itself where it names none. */
function commandsOf(step: StepEntry, key: string): readonly KeyedCommand[] {
  if (typeof step === "string") return [{ key, command: step }];
  if (step.evidence === undefined) return [{ key: `${key}.run`, command: step.run }];
  return step.evidence.map((command, index) => ({ key: `${key}.evidence[${index}]`, command }));
}

function suggestion(command: string): string {
  const words = parseCommandLine(command).at(-1)?.argv.join(" ") ?? "";
  return words !== "" && words !== command && proves(words, [words]) ? ` (\`${words}\`)` : "";
}
