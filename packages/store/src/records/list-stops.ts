import type { AgentName } from "@agent-checkpoint/transcript";
import type { Selectable } from "kysely";
import type { Connection } from "../sqlite/connection.ts";
import type { StopTable } from "../sqlite/database.ts";
import { parseStrings } from "./parse-json.ts";
import type { Stop } from "./stop.ts";

/** Which stops are wanted; all of them unless narrowed. */
export interface StopFilter {
  readonly agent?: AgentName | undefined;
  readonly sessionId?: string | undefined;
  /** The earliest time, itself included. */
  readonly since?: Date | undefined;
  readonly limit?: number | undefined;
}

/** The stops that match, newest first. */
export function listStops({ queries, prepareQuery }: Connection, filter: StopFilter = {}): Stop[] {
  const { agent, sessionId, since, limit } = filter;
  let stops = queries.selectFrom("stops").selectAll().orderBy("stopped_at", "desc").orderBy("id", "desc");
  if (agent !== undefined) stops = stops.where("agent", "=", agent);
  if (sessionId !== undefined) stops = stops.where("session_id", "=", sessionId);
  if (since !== undefined) stops = stops.where("stopped_at", ">=", since.getTime());
  if (limit !== undefined) stops = stops.limit(limit);
  return prepareQuery(stops)().map(toStop);
}

function toStop(row: Selectable<StopTable>): Stop {
  return {
    agent: row.agent,
    sessionId: row.session_id,
    projectPath: row.project_path,
    turn: row.turn,
    at: new Date(row.stopped_at),
    decision: row.decision,
    reason: row.reason,
    actions: parseStrings(row.actions),
    observations: parseStrings(row.observations),
    durationMs: row.duration_ms,
    route: row.route,
    isCanary: row.is_canary === 1,
  };
}
