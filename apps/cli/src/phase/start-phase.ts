import { createCheckpoint, usualPhases } from "@agent-checkpoint/phases";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { phaseReport, type PhaseReport } from "./phase-report.ts";
import { printChange } from "./print-report.ts";
import { type ProjectPhases, projectPhases, type Target, targetOf } from "./project-phases.ts";

/** How a run is begun or gone on with. */
export interface StartOptions {
  readonly feature?: string;
  readonly phases?: string;
  readonly restart?: true;
  readonly reopen?: true;
  readonly json?: true;
}

/** Begins a command's run, or goes on with it, and puts a phase into progress. */
export async function startPhase(
  { command, phase }: { readonly command: string; readonly phase: string | undefined },
  options: StartOptions,
  context: CommandContext,
): Promise<void> {
  const target = targetOf(command, options.feature);
  const project = projectPhases(context);
  const report = phaseReport(project, target);
  const isOver = report.checkpoint === null || typeof report.checkpoint.completed_at === "string";
  const isNew = options.restart === true || (isOver && options.reopen !== true);
  const next = isNew ? beginRun(project, target, { report, phase, options }) : nextPhase(report, phase, options);
  const patch = { status: "in_progress", ...(options.reopen === true && { reopen: true }) } as const;
  project.settle(project.phases.updatePhase(target.command, next, patch, target.feature));
  await printChange(context, project, { target, isJson: options.json === true });
}

interface Beginning {
  readonly report: PhaseReport;
  readonly phase: string | undefined;
  readonly options: StartOptions;
}

/** Saves the plan of a new run, and gives its first phase. */
function beginRun({ phases, settle }: ProjectPhases, target: Target, { report, phase, options }: Beginning): string {
  const usual = usualPhases(target.command);
  const given = options.phases?.split(",").map((name) => name.trim());
  const plan = given ?? (phase === undefined || usual.includes(phase) ? usual : [phase]);
  const first = phase ?? plan[0];
  if (first === undefined || first === "") throw new CliError("--phases names no phase", { exitCode: EXIT.usage });
  // Of two that begin at once, the second finds a revision that it does not know.
  const revision = report.checkpoint?.revision ?? 0;
  settle(
    phases.saveCheckpoint(target.command, { ...createCheckpoint(target.command, plan), revision }, target.feature),
  );
  return first;
}

function nextPhase({ resume }: PhaseReport, phase: string | undefined, { phases }: StartOptions): string {
  if (phases !== undefined)
    throw new CliError("it is under way, with phases of its own", {
      exitCode: EXIT.usage,
      advice: "Add --restart to begin anew.",
    });
  const next = phase ?? resume.phase;
  if (next !== null) return next;
  throw new CliError("all its phases are done", {
    exitCode: EXIT.usage,
    advice: "checkpoint phase complete ends it; a phase that is named goes on.",
  });
}
