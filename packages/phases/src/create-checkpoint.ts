import { type CommandName, usualPhases } from "./commands.ts";
import type { CheckpointInput } from "./document/types.ts";

/** A checkpoint with all its phases still to come, to be saved: those given, else those that the command usually has. */
export function createCheckpoint(
  command: CommandName,
  phases: readonly string[] = usualPhases(command),
): CheckpointInput {
  return { command, phases: Object.fromEntries(phases.map((phase) => [phase, { status: "pending" as const }])) };
}
