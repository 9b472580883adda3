import { type CommandName, openPhases, type Phases } from "@agent-checkpoint/phases";
import type { CommandContext } from "../commands/command-context.ts";
import { visible } from "../terminal/visible.ts";
import { faultToError } from "./fault-to-error.ts";
import { projectRoot } from "./project-root.ts";

/** The phases of the project that the program was called in. */
export interface ProjectPhases {
  readonly root: string;
  readonly phases: Phases;
  /** Gives what a call gave, after its warnings; throws what it failed with. */
  readonly settle: <Value>(value: Value) => Value;
}

/** Opens the phases of the project of the current folder. */
export function projectPhases(context: CommandContext): ProjectPhases {
  const { now, err, style } = context;
  const root = projectRoot(context);
  const lines: string[] = [];
  const phases = openPhases({ root, now, logError: (line) => lines.push(line) });
  const settle = <Value>(value: Value): Value => {
    const fault = phases.getLastError();
    for (const line of new Set(lines.splice(0))) {
      if (line !== fault?.message) err(`${style.warn("warning:")} ${visible(line)}\n`);
    }
    if (fault !== null) throw faultToError(fault);
    return value;
  };
  return { root, phases, settle };
}

/** A command and its feature, as they were given. */
export interface Target {
  readonly command: CommandName;
  readonly feature: string | null;
}

/** A target from the command line; the phases themselves say what is wrong with its names. */
export function targetOf(command: string, feature: string | undefined): Target {
  return { command: command as CommandName, feature: feature ?? null };
}
