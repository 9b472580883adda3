import type { CommandContext } from "../commands/command-context.ts";
import { toJson } from "../terminal/to-json.ts";
import { phaseReport, type PhaseReport } from "./phase-report.ts";
import type { ProjectPhases, Target } from "./project-phases.ts";
import { recordHistory } from "./record-history.ts";
import { renderCheckpoint } from "./render-checkpoint.ts";

/** Prints a command's phase file, as JSON or as a table. */
export function printReport(context: CommandContext, report: PhaseReport, isJson: boolean): void {
  context.out(isJson ? toJson(report) : renderCheckpoint(report, context));
}

/** Adds a change to the history, and prints the new state of the command. */
export async function printChange(
  context: CommandContext,
  project: ProjectPhases,
  { target, isJson }: { readonly target: Target; readonly isJson: boolean },
): Promise<void> {
  const report = phaseReport(project, target);
  if (report.checkpoint !== null) await recordHistory(context, project.root, report.checkpoint);
  printReport(context, report, isJson);
}
