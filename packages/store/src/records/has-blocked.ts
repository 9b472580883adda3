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
  { prepareRows }: Connection,
  agent: AgentName,
  sessionId: string,
  turns: readonly string[],
): () => boolean {
  const marks = turns.map(() => "?").join(", ");
  const find = prepareRows(
    `SELECT turn FROM blocks WHERE agent = ? AND session_id = ? AND turn IN (${marks}) LIMIT 1`,
    [agent, sessionId, ...turns],
  );
  return () => find().length > 0;
}
