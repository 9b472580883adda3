import { type Finding, warn } from "../finding.ts";
import { type AgentCase, placeOf } from "./agent-case.ts";

/** Whether an event calls our program more than once. */
export function checkDuplicates({ hooks, settings }: AgentCase): readonly Finding[] {
  const repeated = settings.events
    .map(({ name }) => ({ name, same: hooks.filter(({ event }) => event === name) }))
    .filter(({ same }) => same.length > 1);
  if (repeated.length === 0) return [];
  const places = new Set(repeated.flatMap(({ same }) => same.map(placeOf)));
  return [
    warn(
      `more than one hook for ${repeated.map(({ name }) => name).join(" and ")}: ${[...places].join(", ")}`,
      "A turn is blocked once all the same, but every call takes its time: keep one.",
    ),
  ];
}
