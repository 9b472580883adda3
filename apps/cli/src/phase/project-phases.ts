import {
  CheckpointError,
  type CheckpointInput,
  type CommandName,
  type Fault,
  type FaultCode,
  findProjectRoot,
  findResumePoint,
  openPhases,
  type PhasePatch,
  type Phases,
  type UnifiedCheckpoint,
} from "@agent-checkpoint/phases";
import type { PhaseEvent } from "@agent-checkpoint/store";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Environment } from "../environment.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { toJson, visible } from "../terminal/visible.ts";
import { withStore } from "../with-store.ts";
import { type PhaseReport, renderReport } from "./render-phases.ts";

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
    for (const line of new Set(lines.splice(0)))
      if (line !== fault?.message) err(`${style.warn("warning:")} ${visible(line)}\n`);
    if (fault !== null) throw faultToError(fault);
    return value;
  };
  return { root, phases, settle };
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

const MEANINGS: Readonly<Record<FaultCode, { readonly exitCode: ExitCode; readonly advice?: string }>> = {
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

function faultToError({ code, message }: Fault): CliError {
  return new CliError(visible(message), MEANINGS[code]);
}

/** The phase file of one command, with or without a feature. */
export interface PhaseRun {
  readonly command: CommandName;
  readonly feature: string | null;
  readonly load: () => PhaseReport;
  readonly save: (document: CheckpointInput) => void;
  readonly update: (phase: string, patch: PhasePatch) => void;
  readonly complete: () => void;
  readonly acceptHead: () => void;
  /** Adds the change to the history, and prints the new state. */
  readonly printChange: () => Promise<void>;
}

/** The phase file that a command line is about; its names are validated by the phases. */
export function openRun(
  name: string,
  options: { readonly feature?: string; readonly json?: true },
  context: CommandContext,
): PhaseRun {
  const { root, phases, settle } = projectPhases(context);
  const command = name as CommandName;
  const feature = options.feature ?? null;
  const load = (): PhaseReport => {
    const checkpoint = settle(phases.loadCheckpoint(command, feature));
    if (checkpoint === null) return { checkpoint, resume: { phase: null, summary: null }, head: null };
    return { checkpoint, resume: findResumePoint(checkpoint), head: phases.compareHead(checkpoint) };
  };
  return {
    command,
    feature,
    load,
    save: (document) => settle(phases.saveCheckpoint(command, document, feature)),
    update: (phase, patch) => settle(phases.updatePhase(command, phase, patch, feature)),
    complete: () => settle(phases.completeCheckpoint(command, feature)),
    acceptHead: () => settle(phases.acceptHead(command, feature)),
    printChange: async () => {
      const report = load();
      if (report.checkpoint !== null) await recordHistory(context, root, report.checkpoint);
      context.out(options.json === true ? toJson(report) : renderReport(report, context));
    },
  };
}

/** Adds the steps of a phase file to the store; the state is already saved, so a failure is only a warning. */
async function recordHistory(
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
export function historyOf({ command, feature, events }: UnifiedCheckpoint): readonly PhaseEvent[] {
  return events.map(({ at, head_commit: headCommit, ...event }) => ({
    command,
    feature,
    phase: event.phase,
    status: event.status,
    at: new Date(at),
    headCommit,
  }));
}
