import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  createCheckpoint,
  type PhasePatch,
  type PhaseStatus,
  type UnifiedCheckpoint,
  usualPhases,
} from "@agent-checkpoint/phases";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import {
  phaseReport,
  type PhaseReport,
  type ProjectPhases,
  projectPhases,
  recordHistory,
  type Target,
  targetOf,
} from "./project-phases.ts";
import { oneLine, renderCheckpoint } from "./render-phases.ts";
import { wrapText } from "../terminal/layout.ts";
import { toJson, visible } from "../terminal/visible.ts";

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

export interface UpdateOptions extends PatchOptions, GateOptions {
  readonly feature?: string;
  readonly acceptHead?: true;
  readonly json?: true;
}

/** Changes one phase of a command. */
export async function updatePhase(
  { command, phase }: { readonly command: string; readonly phase: string },
  options: UpdateOptions,
  context: CommandContext,
): Promise<void> {
  const target = targetOf(command, options.feature);
  const project = projectPhases(context);
  const patch = patchOf(options, context.cwd);
  const isGate = options.allowShip === true || options.blockShip !== undefined;
  if (Object.keys(patch).length === 0 && !isGate && options.acceptHead !== true)
    throw new CliError("nothing to change", {
      exitCode: EXIT.usage,
      advice: "Add --status, --summary or another option.",
    });
  if (isGate) checkGate(target);
  project.settle(project.phases.updatePhase(target.command, phase, patch, target.feature));
  if (isGate) setGate(project, target, options);
  if (options.acceptHead === true) project.settle(project.phases.acceptHead(target.command, target.feature));
  await printChange(context, project, { target, isJson: options.json === true });
}

export interface CompleteOptions extends Omit<PatchOptions, "status" | "error" | "reopen"> {
  readonly feature?: string;
  readonly json?: true;
}

/** Completes a phase, or the whole command if no phase is named. */
export async function completePhase(
  { command, phase }: { readonly command: string; readonly phase: string | undefined },
  options: CompleteOptions,
  context: CommandContext,
): Promise<void> {
  const target = targetOf(command, options.feature);
  const project = projectPhases(context);
  const { phases, settle } = project;
  if (phase === undefined) settle(phases.completeCheckpoint(target.command, target.feature));
  else {
    const patch = { ...patchOf(options, context.cwd), status: "complete" as const };
    settle(phases.updatePhase(target.command, phase, patch, target.feature));
  }
  await printChange(context, project, { target, isJson: options.json === true });
}

/** Prints where a command resumes; the exit code is 1 if it does not. */
export function resumePhase(
  command: string,
  { feature, json }: { readonly feature?: string; readonly json?: true },
  context: CommandContext,
): void {
  const target = targetOf(command, feature);
  const { checkpoint, resume, head } = phaseReport(projectPhases(context), target);
  const { phase, summary } = resume;
  const own = phase === null ? null : (checkpoint?.phases[phase] ?? null);
  if (phase === null) context.exit(EXIT.found);
  if (json === true)
    return context.out(toJson({ ...target, phase, summary, status: own?.status ?? null, notes: own, head }));
  const { columns, out } = context;
  if (phase === null) return out(`${nothingToDo(checkpoint)}\n`);
  const lines = [
    `${visible(phase)} (${(own?.status ?? "pending").replace("_", " ")})\n`,
    ...(own?.error ? [wrapText(oneLine(own.error), { columns, first: "It failed: " })] : []),
    ...(own?.context_summary ? [wrapText(oneLine(own.context_summary), { columns, first: "So far: " })] : []),
    ...(summary === null ? [] : [wrapText(oneLine(summary), { columns, first: "Previous summary: " })]),
  ];
  return out(lines.join(""));
}

function nothingToDo(checkpoint: UnifiedCheckpoint | null): string {
  if (checkpoint === null) return "There is no phase file.";
  return typeof checkpoint.completed_at === "string" ? "The command is done." : "All phases are done.";
}

/** Shows a command's phase file; the exit code is 1 if there is none. */
export function showPhase(
  command: string,
  { feature, json }: { readonly feature?: string; readonly json?: true },
  context: CommandContext,
): void {
  const report = phaseReport(projectPhases(context), targetOf(command, feature));
  if (report.checkpoint === null) context.exit(EXIT.found);
  printReport(context, report, json === true);
}

interface GateOptions {
  readonly allowShip?: true;
  readonly blockShip?: readonly string[];
}

/** Sets the gate of `ship` for the current HEAD commit. */
function setGate(project: ProjectPhases, target: Target, { allowShip, blockShip = [] }: GateOptions): void {
  const { checkpoint, head } = phaseReport(project, target);
  const isAllowed = allowShip === true && blockShip.length === 0;
  const gate = { ship_allowed: isAllowed, blockers: blockShip, head_commit: head?.head ?? null };
  project.settle(project.phases.saveCheckpoint(target.command, { ...checkpoint, gate }, target.feature));
}

/** Refuses a gate for a command that has none. */
export function checkGate({ command }: Target): void {
  if (command !== "ship") throw new CliError("only ship has a gate", { exitCode: EXIT.usage });
}

interface PatchOptions {
  readonly status?: string;
  readonly summary?: string;
  readonly summaryFile?: string;
  readonly created?: readonly string[];
  readonly modified?: readonly string[];
  readonly error?: string;
  readonly reopen?: true;
}

/** The phase patch from the options. */
function patchOf(options: PatchOptions, cwd: string): PhasePatch {
  const summary = summaryOf(options, cwd);
  return {
    ...(options.status !== undefined && { status: options.status as PhaseStatus }),
    ...(summary !== undefined && { context_summary: summary }),
    ...(options.created !== undefined && { files_created: options.created }),
    ...(options.modified !== undefined && { files_modified: options.modified }),
    ...(options.error !== undefined && { error: options.error }),
    ...(options.reopen === true && { reopen: true }),
  };
}

function summaryOf({ summary, summaryFile }: PatchOptions, cwd: string): string | undefined {
  if (summaryFile === undefined) return summary;
  if (summary !== undefined)
    throw new CliError("--summary and --summary-file exclude each other", { exitCode: EXIT.usage });
  try {
    // 0 is the descriptor of stdin.
    return readFileSync(summaryFile === "-" ? 0 : resolve(cwd, summaryFile), "utf8").trim();
  } catch (error) {
    const why = error instanceof Error ? error.message : "it failed";
    throw new CliError(`the summary cannot be read: ${why}`, { exitCode: EXIT.usage });
  }
}

/** Prints a command's phase file, as JSON or as a table. */
function printReport(context: CommandContext, report: PhaseReport, isJson: boolean): void {
  context.out(isJson ? toJson(report) : renderCheckpoint(report, context));
}

/** Adds a change to the history, and prints the new state of the command. */
async function printChange(
  context: CommandContext,
  project: ProjectPhases,
  { target, isJson }: { readonly target: Target; readonly isJson: boolean },
): Promise<void> {
  const report = phaseReport(project, target);
  if (report.checkpoint !== null) await recordHistory(context, project.root, report.checkpoint);
  printReport(context, report, isJson);
}
