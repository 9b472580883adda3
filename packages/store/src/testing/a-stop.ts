import type { Stop, StopObservation } from "../tables/stops.ts";

/** A stop that passed, with the given fields in place of its own. */
export function aStop(fields: Partial<Stop> = {}): Stop {
  return {
    agent: "claude",
    sessionId: "session-1",
    projectPath: "/project",
    turn: "turn-1",
    at: new Date("2026-01-01T12:00:00Z"),
    decision: "pass",
    reason: "timer",
    actions: [],
    observations: [],
    durationMs: 12,
    route: "hook",
    isCanary: false,
    ...fields,
  };
}

/** What a check found, in these words. */
export function anObservation(text: string): StopObservation {
  return { check: "edit-without-read", text, isFailure: false };
}
