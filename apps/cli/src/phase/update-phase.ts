import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { patchOf, type PatchOptions } from "./patch-options.ts";
import { printChange } from "./print-report.ts";
import { projectPhases, targetOf } from "./project-phases.ts";
import { checkGate, type GateOptions, setGate } from "./set-gate.ts";

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
