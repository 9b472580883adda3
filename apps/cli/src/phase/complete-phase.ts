import type { CommandContext } from "../commands/command-context.ts";
import { patchOf, type PatchOptions } from "./patch-options.ts";
import { printChange } from "./print-report.ts";
import { projectPhases, targetOf } from "./project-phases.ts";

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
