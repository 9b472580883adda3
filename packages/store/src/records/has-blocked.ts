import type { AgentName } from "@agent-checkpoint/transcript";
import type { Connection } from "../sqlite/connection.ts";

/** Whether a turn was blocked, by any of its names. */
export function hasBlocked(
  connection: Connection,
  agent: AgentName,
  sessionId: string,
  turns: string | readonly string[],
): boolean {
  return prepareHasBlocked(connection, agent, sessionId, [turns].flat())();
}

/** The same, to be run later. */
export function prepareHasBlocked(
  { queries, prepareQuery }: Connection,
  agent: AgentName,
  sessionId: string,
  turns: readonly string[],
): () => boolean {
  const blocks = queries
    .selectFrom("blocks")
    .select("turn")
    .where("agent", "=", agent)
    .where("session_id", "=", sessionId)
    .where("turn", "in", turns)
    .limit(1);
  const find = prepareQuery(blocks);
  return () => find().length > 0;
}
