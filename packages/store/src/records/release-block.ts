import type { AgentName } from "@agent-checkpoint/transcript";
import type { QueryConnection } from "../sqlite/connection.ts";

/** A block whose message never reached the agent. */
export interface BlockRelease {
  readonly agent: AgentName;
  readonly sessionId: string;
  /** The names it was claimed with. */
  readonly turns: readonly string[];
  /** Why it did not arrive, in kebab-case. */
  readonly reason: string;
}

/** Gives a claimed block back: its stop becomes a pass, the stamp goes, and the turn may be blocked by another route. */
export function releaseBlock(connection: QueryConnection, { agent, sessionId, turns, reason }: BlockRelease): void {
  const { queries, prepareChange } = connection;
  const deleteBlocks = prepareChange(
    queries
      .deleteFrom("blocks")
      .where("agent", "=", agent)
      .where("session_id", "=", sessionId)
      .where("turn", "in", turns),
  );
  const correctStop = prepareChange(
    queries
      .updateTable("stops")
      .set({ decision: "pass", reason })
      .where("agent", "=", agent)
      .where("session_id", "=", sessionId)
      .where("turn", "in", turns)
      .where("decision", "=", "block"),
  );
  const clearStamp = prepareChange(
    queries
      .updateTable("sessions")
      .set({ last_checkpoint_at: null, last_blocked_turn: null })
      .where("agent", "=", agent)
      .where("session_id", "=", sessionId)
      .where("last_blocked_turn", "in", turns),
  );
  connection.immediately(() => {
    deleteBlocks();
    correctStop();
    clearStamp();
  });
}
