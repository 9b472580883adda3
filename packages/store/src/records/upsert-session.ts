import type { AgentName } from "@agent-checkpoint/transcript";
import type { Insertable } from "kysely";
import type { Connection } from "../sqlite/connection.ts";
import type { SessionTable } from "../sqlite/database.ts";

/** Whose row it is, and when something was heard of the session. */
export interface SessionSighting {
  readonly agent: AgentName;
  readonly sessionId: string;
  readonly at: Date;
  /** Fills the row's project where it has none. */
  readonly projectPath?: string | null | undefined;
}

/** The columns of a session row that events set. */
export type SessionValues = Partial<
  Omit<Insertable<SessionTable>, "agent" | "session_id" | "first_seen_at" | "last_seen_at">
>;

/**
 * Prepares to set columns of a session's row, and to make the row where there is none; run, it gives how many rows changed.
 * A row that has the given values in the columns of `known` already is left as it is.
 */
export function prepareUpsertSession(
  { prepareRun }: Connection,
  sighting: SessionSighting,
  values: SessionValues,
  known: readonly (keyof SessionValues)[] = [],
): () => number {
  const seenAt = sighting.at.getTime();
  const row = {
    agent: sighting.agent,
    session_id: sighting.sessionId,
    project_path: sighting.projectPath ?? null,
    first_seen_at: seenAt,
    last_seen_at: seenAt,
    ...values,
  };
  const columns = Object.keys(row);
  const assignments = Object.entries({
    project_path: "coalesce(sessions.project_path, excluded.project_path)",
    last_seen_at: "max(sessions.last_seen_at, excluded.last_seen_at)",
    ...Object.fromEntries(Object.keys(values).map((column) => [column, `excluded.${column}`])),
  }).map(([column, value]) => `${column} = ${value}`);
  const isKnown = known.map((column) => `sessions.${column} IS excluded.${column}`).join(" AND ");
  // The names of columns are our own; only values come from outside.
  return prepareRun(
    `INSERT INTO sessions (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})
     ON CONFLICT (agent, session_id) DO UPDATE SET ${assignments.join(", ")}${isKnown && ` WHERE NOT (${isKnown})`}`,
    Object.values(row),
  );
}
