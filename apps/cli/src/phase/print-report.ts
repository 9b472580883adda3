import type { CommandContext } from "../commands/command-context.ts";
import { toJson } from "../terminal/to-json.ts";
import { phaseReport, type PhaseReport } from "./phase-report.ts";
import type { ProjectPhases, Target } from "./project-phases.ts";
import { recordHistory } from "./record-history.ts";
import { renderCheckpoint } from "./render-checkpoint.ts";

/** Prints a command's checkpoint, as JSON or for a person. */
export function printReport(context: CommandContext, report: PhaseReport, isJson: boolean): void {
  context.out(isJson ? toJson(report) : renderCheckpoint(report, context));
}

/** Takes a change into the history, and prints what the command has come to. */
export async function printChange(
  context: CommandContext,
  project: ProjectPhases,
  { target, isJson }: { readonly target: Target; readonly isJson: boolean },
): Promise<void> {
  const report = phaseReport(project, target);
  if (report.checkpoint !== null) await recordHistory(context, project.root, report.checkpoint);
  printReport(context, report, isJson);
}
