import { isRecord } from "@agent-checkpoint/handoff";

/**
 * The phases with those that only the state's lists name.
 * A document of another hand may list a phase as pending that has no entry yet; without one it would be forgotten.
 */
export function adoptPhases(phases: Record<string, unknown>, state: unknown): Record<string, unknown> {
  if (!isRecord(state)) return phases;
  const listed = [
    ...namesIn(state["completed_phases"], "complete"),
    ...namesIn([state["current_phase"]], "in_progress"),
    ...namesIn(state["pending_phases"], "pending"),
  ];
  const missing = listed.filter(([name]) => !Object.hasOwn(phases, name));
  if (missing.length === 0) return phases;
  const adopted = listed.map(([name, phase]): [string, unknown] => [
    name,
    Object.hasOwn(phases, name) ? phases[name] : phase,
  ]);
  return { ...Object.fromEntries(adopted), ...phases };
}

function namesIn(list: unknown, status: string): [string, unknown][] {
  const names = Array.isArray(list) ? list : [];
  return names.filter((name) => typeof name === "string").map((name) => [name, { status }]);
}
