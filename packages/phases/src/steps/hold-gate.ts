import type { Gate, UnifiedCheckpoint } from "../document/types.ts";

/** Whether a gate lets `/ship` go on at a commit. */
export function isShipAllowed(gate: Gate | null | undefined, head: string | null): boolean {
  if (!gate || head === null) return false;
  return gate.ship_allowed && gate.blockers.length === 0 && gate.head_commit === head;
}

/** A checkpoint whose gate says no where it was set for another commit than HEAD. */
export function holdGate(checkpoint: UnifiedCheckpoint, head: string | null): UnifiedCheckpoint {
  const { gate } = checkpoint;
  if (!gate?.ship_allowed || (head !== null && gate.head_commit === head)) return checkpoint;
  const blocker = `The gate was set at ${short(gate.head_commit)} and HEAD is at ${short(head)}: look again.`;
  return { ...checkpoint, gate: { ...gate, ship_allowed: false, blockers: [...gate.blockers, blocker] } };
}

function short(commit: string | null | undefined): string {
  return commit?.slice(0, 7) ?? "no commit";
}
