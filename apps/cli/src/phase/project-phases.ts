import {
  CheckpointError,
  type CommandName,
  type Fault,
  type FaultCode,
  findProjectRoot,
  findResumePoint,
  type HeadComparison,
  openPhases,
  type Phases,
  type ResumePoint,
  type UnifiedCheckpoint,
} from "@agent-checkpoint/phases";
import type { PhaseEvent } from "@agent-checkpoint/store";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Environment } from "../environment.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";

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

/** The project that the program was called in. */
export function projectRoot({ cwd, env }: Pick<Environment, "cwd" | "env">): string {
  try {
    return findProjectRoot({ cwd, env });
  } catch (error) {
    if (error instanceof CheckpointError) throw faultToError(error);
    throw error;
  }
}

interface Meaning {
  readonly exitCode: ExitCode;
  readonly advice?: string;
}

const MEANINGS: Readonly<Record<FaultCode, Meaning>> = {
  "bad-name": { exitCode: EXIT.usage },
  invalid: { exitCode: EXIT.usage },
  "too-long": { exitCode: EXIT.usage, advice: "Shorten it to what the next phase needs to know." },
  "bad-step": { exitCode: EXIT.usage, advice: "Add --reopen to reopen it." },
  "no-checkpoint": { exitCode: EXIT.usage, advice: "checkpoint phase start begins one." },
  "not-ours": { exitCode: EXIT.usage },
  conflict: { exitCode: EXIT.usage, advice: "Run it again." },
  corrupt: {
    exitCode: EXIT.failed,
    advice: "Inspect the file that was set aside, or start over with checkpoint phase start.",
  },
  locked: { exitCode: EXIT.failed, advice: "Run it again when the other process is done." },
  "no-folder": { exitCode: EXIT.failed },
  failed: { exitCode: EXIT.failed },
};

/** Converts a fault of the phases to the program's error. */
function faultToError({ code, message }: Fault): CliError {
  return new CliError(visible(message), MEANINGS[code]);
}

/** What `--json` prints of a phase file. */
export interface PhaseReport {
  readonly checkpoint: UnifiedCheckpoint | null;
  readonly resume: ResumePoint;
  /** How HEAD relates to the commits of the phase file; null if there is none. */
  readonly head: HeadComparison | null;
}

/** The current state of a command. */
export function phaseReport({ phases, settle }: ProjectPhases, { command, feature }: Target): PhaseReport {
  const checkpoint = settle(phases.loadCheckpoint(command, feature));
  if (checkpoint === null) return { checkpoint, resume: { phase: null, summary: null }, head: null };
  return { checkpoint, resume: findResumePoint(checkpoint), head: phases.compareHead(checkpoint) };
}

/** Adds the steps of a phase file to the store; the state is already saved, so a failure is only a warning. */
export async function recordHistory(
  { home, err, style }: CommandContext,
  root: string,
  checkpoint: UnifiedCheckpoint,
): Promise<void> {
  try {
    await withStore(home, (store) => store.phases.merge(root, historyOf(checkpoint)));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    err(`${style.warn("warning:")} the history was not written: ${error.message}\n`);
  }
}

/** The steps of a phase file, as the store records them. */
export function historyOf({ command, feature, events }: UnifiedCheckpoint): PhaseEvent[] {
  return events.map(({ at, phase, status, head_commit: headCommit }) => ({
    command,
    feature,
    phase,
    status,
    at: new Date(at),
    headCommit,
  }));
}
