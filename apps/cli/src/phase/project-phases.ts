import { type CommandName, openPhases, type Phases } from "@agent-checkpoint/phases";
import type { CommandContext } from "../commands/command-context.ts";
import { visible } from "../terminal/visible.ts";
import { faultToError } from "./fault-to-error.ts";
import { projectRoot } from "./project-root.ts";

/** The phases of the project that the program was called in. */
export interface ProjectPhases {
  readonly root: string;
  readonly phases: Phases;
  /** Prints the warnings of a call and returns its value; throws if it failed. */
  readonly settle: <Value>(value: Value) => Value;
}

/** Opens the phases of the current project. */
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

export interface Target {
  readonly command: CommandName;
  readonly feature: string | null;
}

/** A target from the command line; its names are validated later, by the phases. */
export function targetOf(command: string, feature: string | undefined): Target {
  return { command: command as CommandName, feature: feature ?? null };
}
