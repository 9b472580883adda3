import type { QueryConnection } from "../sqlite/connection.ts";
import { type StoredPhaseEvent, toPhaseEvent } from "./phase-event.ts";

/** Which steps are wanted; all of them unless narrowed. */
export interface PhaseEventFilter {
  readonly projectPath?: string | undefined;
  readonly command?: string | undefined;
  /** A feature, or null for what has none. */
  readonly feature?: string | null | undefined;
  /** The earliest time, itself included. */
  readonly since?: Date | undefined;
  readonly limit?: number | undefined;
}

/** The steps of phases that match, newest first. */
export function listPhaseEvents(
  { queries, prepareQuery }: QueryConnection,
  { projectPath, command, feature, since, limit }: PhaseEventFilter = {},
): StoredPhaseEvent[] {
  let events = queries.selectFrom("phase_events").selectAll().orderBy("happened_at", "desc").orderBy("id", "desc");
  if (projectPath !== undefined) events = events.where("project_path", "=", projectPath);
  if (command !== undefined) events = events.where("command", "=", command);
  if (feature !== undefined) events = events.where("feature", "=", feature ?? "");
  if (since !== undefined) events = events.where("happened_at", ">=", since.getTime());
  if (limit !== undefined) events = events.limit(limit);
  return prepareQuery(events)().map(toPhaseEvent);
}
