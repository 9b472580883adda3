import type { AgentName } from "@agent-checkpoint/transcript";
import type { Selectable } from "kysely";
import type { QueryConnection } from "../sqlite/connection.ts";
import type { StopTable } from "../sqlite/database.ts";
import { parseStrings } from "./parse-json.ts";
import { parseTrail } from "./stop-trail.ts";
import { parseObservations, type StoredStop } from "./stop.ts";

/** Which stops are wanted; all of them unless narrowed. */
export interface StopFilter {
  readonly id?: number | undefined;
  readonly agent?: AgentName | undefined;
  readonly sessionId?: string | undefined;
  /** The project's folder; agents that were started in a folder of it count as well. */
  readonly projectPath?: string | undefined;
  /** The earliest time, itself included. */
  readonly since?: Date | undefined;
  /** Only the canaries, or none of them; whoever counts stops wants none. */
  readonly isCanary?: boolean | undefined;
  readonly limit?: number | undefined;
}

/** The stops that match, newest first. */
export function listStops({ queries, prepareQuery }: QueryConnection, filter: StopFilter = {}): StoredStop[] {
  const { id, agent, sessionId, projectPath, since, isCanary, limit } = filter;
  let stops = queries.selectFrom("stops").selectAll().orderBy("stopped_at", "desc").orderBy("id", "desc");
  if (id !== undefined) stops = stops.where("id", "=", id);
  if (agent !== undefined) stops = stops.where("agent", "=", agent);
  if (sessionId !== undefined) stops = stops.where("session_id", "=", sessionId);
  if (projectPath !== undefined)
    stops = stops.where((column) =>
      column.or([
        column("project_path", "=", projectPath),
        // Everything that begins with the folder and a slash: `0` is the character after it.
        column.and([column("project_path", ">=", `${projectPath}/`), column("project_path", "<", `${projectPath}0`)]),
      ]),
    );
  if (since !== undefined) stops = stops.where("stopped_at", ">=", since.getTime());
  if (isCanary !== undefined) stops = stops.where("is_canary", "=", isCanary ? 1 : 0);
  if (limit !== undefined) stops = stops.limit(limit);
  return prepareQuery(stops)().map(toStop);
}

function toStop(row: Selectable<StopTable>): StoredStop {
  return {
    id: row.id,
    agent: row.agent,
    sessionId: row.session_id,
    projectPath: row.project_path,
    turn: row.turn,
    at: new Date(row.stopped_at),
    decision: row.decision,
    reason: row.reason,
    actions: parseStrings(row.actions),
    observations: parseObservations(row.observations),
    durationMs: row.duration_ms,
    route: row.route,
    isCanary: row.is_canary === 1,
    trail: parseTrail(row.trail),
    messageLength: row.message_length,
    ...(row.save !== null && { save: row.save }),
  };
}
