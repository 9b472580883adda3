import type { AgentName } from "@agent-checkpoint/transcript";
import type { Connection } from "../sqlite/connection.ts";
import { toSession, type Session } from "./session.ts";

/** What is known of a session; null before its first event. */
export function getSession(connection: Connection, agent: AgentName, sessionId: string): Session | null {
  return prepareGetSession(connection, agent, sessionId)();
}

/** The same, to be run later. */
export function prepareGetSession(
  { queries, prepareQuery }: Connection,
  agent: AgentName,
  sessionId: string,
): () => Session | null {
  const find = prepareQuery(
    queries.selectFrom("sessions").selectAll().where("agent", "=", agent).where("session_id", "=", sessionId),
  );
  return () => {
    const [row] = find();
    return row === undefined ? null : toSession(row);
  };
}
