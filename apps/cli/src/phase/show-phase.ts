import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { phaseReport } from "./phase-report.ts";
import { printReport } from "./print-report.ts";
import { projectPhases, targetOf } from "./project-phases.ts";

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
