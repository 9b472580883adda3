import type { AgentName } from "@agent-checkpoint/transcript";
import type { Selectable } from "kysely";
import type { Connection } from "../sqlite/connection.ts";
import type { SessionTable } from "../sqlite/database.ts";
import { toSession, type Session } from "./session.ts";

/** What is known of a session; null before its first event. */
export function getSession(connection: Connection, agent: AgentName, sessionId: string): Session | null {
  return prepareGetSession(connection, agent, sessionId)();
}

/** The same, to be run later. */
export function prepareGetSession(
  { prepareRows }: Connection,
  agent: AgentName,
  sessionId: string,
): () => Session | null {
  const find = prepareRows<Selectable<SessionTable>>("SELECT * FROM sessions WHERE agent = ? AND session_id = ?", [
    agent,
    sessionId,
  ]);
  return () => {
    const [row] = find();
    return row === undefined ? null : toSession(row);
  };
}
