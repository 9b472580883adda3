import type { AgentName } from "@agent-checkpoint/transcript";
import type { QueryConnection } from "../sqlite/connection.ts";
import { toSession, type Session } from "./session.ts";

/** Which sessions are wanted; all of them unless narrowed. */
export interface SessionFilter {
  readonly agent?: AgentName | undefined;
  readonly sessionId?: string | undefined;
}

/** The sessions that match, the last one heard of first. */
export function listSessions(
  { queries, prepareQuery }: QueryConnection,
  { agent, sessionId }: SessionFilter = {},
): Session[] {
  let sessions = queries.selectFrom("sessions").selectAll().orderBy("last_seen_at", "desc").orderBy("session_id");
  if (agent !== undefined) sessions = sessions.where("agent", "=", agent);
  if (sessionId !== undefined) sessions = sessions.where("session_id", "=", sessionId);
  return prepareQuery(sessions)().map(toSession);
}
