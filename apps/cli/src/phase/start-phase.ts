import { createCheckpoint, usualPhases } from "@agent-checkpoint/phases";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { phaseReport, type PhaseReport } from "./phase-report.ts";
import { printChange } from "./print-report.ts";
import { type ProjectPhases, projectPhases, type Target, targetOf } from "./project-phases.ts";

export interface StartOptions {
  readonly feature?: string;
  readonly phases?: string;
  readonly restart?: true;
  readonly reopen?: true;
  readonly json?: true;
}

/** Begins or resumes a command's run, and sets a phase in progress. */
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

/** Saves the plan of a new run and returns its first phase. */
function beginRun({ phases, settle }: ProjectPhases, target: Target, { report, phase, options }: Beginning): string {
  const usual = usualPhases(target.command);
  const given = options.phases?.split(",").map((name) => name.trim());
  const plan = given ?? (phase === undefined || usual.includes(phase) ? usual : [phase]);
  const first = phase ?? plan[0];
  if (first === undefined || first === "") throw new CliError("--phases lists no phase", { exitCode: EXIT.usage });
  // If two processes begin at once, the second one finds an unknown revision.
  const revision = report.checkpoint?.revision ?? 0;
  settle(
    phases.saveCheckpoint(target.command, { ...createCheckpoint(target.command, plan), revision }, target.feature),
  );
  return first;
}

function nextPhase({ resume }: PhaseReport, phase: string | undefined, { phases }: StartOptions): string {
  if (phases !== undefined)
    throw new CliError("the command is already in progress with other phases", {
      exitCode: EXIT.usage,
      advice: "Add --restart to start over.",
    });
  const next = phase ?? resume.phase;
  if (next !== null) return next;
  throw new CliError("all phases are done", {
    exitCode: EXIT.usage,
    advice: "End it with checkpoint phase complete, or name a phase to continue.",
  });
}
