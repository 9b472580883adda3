import { validateContextSummary } from "@agent-checkpoint/handoff";
import type { Phase, PhaseStatus, UnifiedCheckpoint } from "../document/types.ts";

/** Where a command goes on, and what the phase before came to. */
export interface ResumePoint {
  readonly phase: string | null;
  readonly summary: string | null;
}

/** What is said of a command that has nothing to go on with. */
export const NOWHERE: ResumePoint = { phase: null, summary: null };

/** What is gone on with, first of all; the first phase of the first status that there is. */
const ORDER: readonly PhaseStatus[] = ["in_progress", "failed", "pending"];

/** Where a command goes on: in its phase in progress, else the first that failed, else the first that waits. */
export function findResumePoint({ phases, completed_at: completed }: UnifiedCheckpoint): ResumePoint {
  if (typeof completed === "string") return NOWHERE;
  const entries = Object.entries(phases);
  const places = ORDER.map((status) => entries.findIndex(([, phase]) => phase.status === status));
  const place = places.find((index) => index >= 0) ?? entries.length;
  return {
    phase: entries[place]?.[0] ?? null,
    summary: nearestSummary(
      entries.map(([, phase]) => phase),
      place,
    ),
  };
}

/** The summary of the completed phase next to a place, of those before it rather than those after it. */
function nearestSummary(phases: readonly Phase[], place: number): string | null {
  const inOrder = [...phases.slice(0, place).toReversed(), ...phases.slice(place + 1)];
  const usable = inOrder
    .filter(({ status }) => status === "complete")
    .map(({ context_summary: summary }) => summary)
    .find((summary) => typeof summary === "string" && summary !== "" && validateContextSummary(summary).valid);
  return usable ?? null;
}
