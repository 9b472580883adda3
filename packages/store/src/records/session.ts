import type { AgentName } from "@agent-checkpoint/transcript";
import type { Selectable } from "kysely";
import type { SessionTable } from "../sqlite/database.ts";
import { type ContextMark, parseContextMark } from "./context-mark.ts";
import type { Route } from "./route.ts";
import { parseRecord, parseStrings } from "./parse-json.ts";

/** The signature of every file that was already changed when the session began, by path. */
export type Baseline = Readonly<Record<string, string>>;

/** What is known of one session of an agent. */
export interface Session {
  readonly agent: AgentName;
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly transcriptPath: string | null;
  readonly workingSlug: string | null;
  readonly firstSeenAt: Date;
  /** When the human last spoke. */
  readonly lastMessageSentAt: Date | null;
  /** When this turn was blocked; null from the next prompt on. */
  readonly lastCheckpointAt: Date | null;
  readonly currentTurn: string | null;
  readonly lastBlockedTurn: string | null;
  readonly lastStopAt: Date | null;
  /** The files this session changed, relative to the project, the latest last. */
  readonly touchedFiles: readonly string[];
  /** How many bytes of the transcript have been read. */
  readonly readUpTo: number | null;
  readonly baseline: Baseline | null;
  /** The way that messages take into this session, where one was chosen. */
  readonly route: Route | null;
  /** When the session's work was last saved for a full context; absent where that never was. */
  readonly contextMark?: ContextMark | null | undefined;
}

/** A session as the table holds it, in the terms of the API. */
export function toSession(row: Selectable<SessionTable>): Session {
  return {
    agent: row.agent,
    sessionId: row.session_id,
    projectPath: row.project_path,
    transcriptPath: row.transcript_path,
    workingSlug: row.working_slug,
    firstSeenAt: new Date(row.first_seen_at),
    lastMessageSentAt: toDate(row.last_message_sent_at),
    lastCheckpointAt: toDate(row.last_checkpoint_at),
    currentTurn: row.current_turn,
    lastBlockedTurn: row.last_blocked_turn,
    lastStopAt: toDate(row.last_stop_at),
    touchedFiles: parseStrings(row.touched_files),
    readUpTo: row.read_up_to,
    baseline: parseRecord(row.baseline),
    route: row.route,
    ...(row.context_mark !== null && { contextMark: parseContextMark(row.context_mark) }),
  };
}

function toDate(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
