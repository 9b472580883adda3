import type { AgentName } from "@agent-checkpoint/transcript";
import type { Generated } from "kysely";
import type { Route } from "../records/route.ts";

/** The tables as the newest migration leaves them; times are milliseconds, lists and records are JSON. */
export interface Database {
  readonly sessions: SessionTable;
  readonly blocks: BlockTable;
  readonly stops: StopTable;
  readonly meta: MetaTable;
  readonly snoozes: SnoozeTable;
  readonly phase_events: PhaseEventTable;
  readonly saves: SaveTable;
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
  readonly context_mark: string | null;
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
  readonly trail: string | null;
  readonly save: string | null;
  readonly message_length: number | null;
}

/** What the store remembers of itself. */
interface MetaTable {
  readonly key: "pruned_at";
  readonly value: number;
}

/** One row for every time that somebody wanted stops let go. */
export interface SnoozeTable {
  readonly id: Generated<number>;
  readonly scope: "project" | "session";
  /** Of a project's snooze only. */
  readonly project_path: string | null;
  /** Of a session's snooze only, like its id. */
  readonly agent: AgentName | null;
  readonly session_id: string | null;
  readonly from_at: number;
  readonly until_at: number;
  readonly reason: string | null;
  readonly made_by: string;
  readonly made_in: string;
}

/** One row for every step of a phase; what has no feature or no phase has an empty one, because nulls are never equal. */
export interface PhaseEventTable {
  readonly id: Generated<number>;
  readonly project_path: string;
  readonly command: string;
  readonly feature: string;
  readonly phase: string;
  readonly status: string;
  readonly happened_at: number;
  readonly head_commit: string | null;
}

/** One row for every time that a session's work was saved, or was to be. */
export interface SaveTable {
  readonly id: Generated<number>;
  readonly agent: AgentName;
  readonly session_id: string;
  readonly project_path: string | null;
  readonly saved_at: number;
  /** What asked for it. */
  readonly trigger: string;
  readonly outcome: string;
  readonly percent: number | null;
  readonly commit_id: string | null;
  readonly checkpoint_id: string | null;
  readonly files: string;
  readonly left_out: string;
  readonly section: string | null;
  readonly detail: string | null;
  readonly duration_ms: number;
}
