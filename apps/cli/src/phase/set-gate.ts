import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import { phaseReport } from "./phase-report.ts";
import type { ProjectPhases, Target } from "./project-phases.ts";

export interface GateOptions {
  readonly allowShip?: true;
  readonly blockShip?: readonly string[];
}

/** Sets the gate of `ship` for the current HEAD commit. */
export function setGate(project: ProjectPhases, target: Target, { allowShip, blockShip = [] }: GateOptions): void {
  const { checkpoint, head } = phaseReport(project, target);
  const isAllowed = allowShip === true && blockShip.length === 0;
  const gate = { ship_allowed: isAllowed, blockers: blockShip, head_commit: head?.head ?? null };
  project.settle(project.phases.saveCheckpoint(target.command, { ...checkpoint, gate }, target.feature));
}

/** Refuses a gate for a command that has none. */
export function checkGate({ command }: Target): void {
  if (command !== "ship") throw new CliError("only ship has a gate", { exitCode: EXIT.usage });
}
