import type { CheckpointState, Phase } from "./types.ts";

/** Where a command stands by its phases. */
export function deriveState(phases: Readonly<Record<string, Phase>>): CheckpointState {
  const named = (status: Phase["status"]) => Object.keys(phases).filter((name) => phases[name]?.status === status);
  return {
    current_phase: named("in_progress")[0] ?? null,
    completed_phases: named("complete"),
    pending_phases: named("pending"),
  };
}
