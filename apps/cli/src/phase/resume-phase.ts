import type { UnifiedCheckpoint } from "@agent-checkpoint/phases";
import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { toJson } from "../terminal/to-json.ts";
import { visible } from "../terminal/visible.ts";
import { wrapText } from "../terminal/wrap-text.ts";
import { oneLine } from "./one-line.ts";
import { phaseReport } from "./phase-report.ts";
import { projectPhases, targetOf } from "./project-phases.ts";

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
