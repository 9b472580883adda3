import type { AgentName } from "@agent-checkpoint/transcript";
import type { Generated } from "kysely";
import type { Route } from "../records/route.ts";

/** The tables as the newest migration leaves them; times are milliseconds, lists and records are JSON. */
export interface Database {
  readonly sessions: SessionTable;
  readonly blocks: BlockTable;
  readonly stops: StopTable;
  readonly meta: MetaTable;
}

/** One row a session. */
export interface SessionTable {
  readonly agent: AgentName;
  readonly session_id: string;
  readonly project_path: string | null;
  readonly transcript_path: string | null;
  readonly working_slug: string | null;
  readonly first_seen_at: number;
  readonly last_seen_at: number;
  readonly last_message_sent_at: number | null;
  readonly last_checkpoint_at: number | null;
  readonly current_turn: string | null;
  readonly last_blocked_turn: string | null;
  readonly last_stop_at: number | null;
  readonly touched_files: Generated<string>;
  readonly read_up_to: number | null;
  readonly baseline: string | null;
  readonly route: Route | null;
}

/** One row for every name of a turn that was blocked. */
interface BlockTable {
  readonly agent: AgentName;
  readonly session_id: string;
  readonly turn: string;
  readonly blocked_at: number;
}

/** One row for every stop. */
export interface StopTable {
  readonly id: Generated<number>;
  /** The line's own id for a stop that came by the journal. */
  readonly journal_id: string | null;
  readonly agent: AgentName;
  readonly session_id: string;
  readonly project_path: string | null;
  readonly turn: string | null;
  readonly stopped_at: number;
  readonly decision: "block" | "pass";
  readonly reason: string;
  readonly actions: string;
  readonly observations: string;
  readonly duration_ms: number;
  readonly route: Route;
  readonly is_canary: 0 | 1;
}

/** What the store remembers of itself. */
interface MetaTable {
  readonly key: "pruned_at";
  readonly value: number;
}
