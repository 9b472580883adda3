import type { AgentName } from "@agent-checkpoint/transcript";
import type { Connection } from "../sqlite/connection.ts";
import { prepareHasBlocked } from "./has-blocked.ts";
import { prepareInsertStops } from "./insert-stops.ts";
import type { Stop } from "./stop.ts";
import { prepareUpsertSession } from "./upsert-session.ts";

/** The wish to block a turn. */
export interface BlockClaim {
  readonly agent: AgentName;
  readonly sessionId: string;
  /** All names the turn goes by; the stop is recorded under the first. */
  readonly turns: readonly string[];
  readonly at: Date;
  /** What is recorded if the block is granted. */
  readonly stop: Omit<Stop, "agent" | "sessionId" | "turn" | "at" | "decision">;
}

/** Whether the block is the caller's to send. */
export interface BlockOutcome {
  readonly claimed: boolean;
}

/** Takes the one block a turn has and records it; a turn without a name could be blocked for ever, so it never is. */
export function claimBlock(connection: Connection, claim: BlockClaim): BlockOutcome {
  const { agent, sessionId, turns, at, stop } = claim;
  const [turn] = turns;
  if (turn === undefined) return { claimed: false };
  const time = at.getTime();
  const blocks = [...new Set(turns)].map((name) => [agent, sessionId, name, time]);

  const isTaken = prepareHasBlocked(connection, agent, sessionId, turns);
  const insertBlocks = connection.prepareRun(
    `INSERT INTO blocks (agent, session_id, turn, blocked_at) VALUES ${blocks.map(() => "(?, ?, ?, ?)").join(", ")}`,
    blocks.flat(),
  );
  const insertStop = prepareInsertStops(connection, [{ ...stop, agent, sessionId, turn, at, decision: "block" }]);
  const stampSession =
    // A canary is of no session.
    stop.isCanary === true
      ? null
      : prepareUpsertSession(
          connection,
          { agent, sessionId, at, projectPath: stop.projectPath },
          { last_checkpoint_at: time, last_blocked_turn: turn, last_stop_at: time },
        );
  return connection.immediately(() => {
    if (isTaken()) return { claimed: false };
    insertBlocks();
    insertStop();
    stampSession?.();
    return { claimed: true };
  });
}
