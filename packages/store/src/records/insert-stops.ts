import type { Insertable } from "kysely";
import type { Connection } from "../sqlite/connection.ts";
import type { StopTable } from "../sqlite/database.ts";
import { trailToJson } from "./stop-trail.ts";
import { observationsToJson, type Stop } from "./stop.ts";

/** A stop to be stored; one from the journal brings an id. */
export interface NewStop extends Stop {
  readonly journalId?: string;
}

/** Prepares to insert stops; run, it gives how many were new, because a line of the journal counts once. */
export function prepareInsertStops({ prepareRun }: Connection, stops: readonly NewStop[]): () => number {
  const rows = stops.map((stop) => Object.entries(toRow(stop)));
  const columns = rows[0]?.map(([column]) => column) ?? [];
  const marks = `(${columns.map(() => "?").join(", ")})`;
  return prepareRun(
    `INSERT INTO stops (${columns.join(", ")}) VALUES ${rows.map(() => marks).join(", ")}
     ON CONFLICT (journal_id) WHERE journal_id IS NOT NULL DO NOTHING`,
    rows.flatMap((row) => row.map(([, value]) => value)),
  );
}

function toRow(stop: NewStop): Insertable<StopTable> {
  return {
    journal_id: stop.journalId ?? null,
    agent: stop.agent,
    session_id: stop.sessionId,
    project_path: stop.projectPath,
    turn: stop.turn,
    stopped_at: stop.at.getTime(),
    decision: stop.decision,
    reason: stop.reason,
    actions: JSON.stringify(stop.actions),
    observations: observationsToJson(stop.observations),
    duration_ms: Math.round(stop.durationMs),
    route: stop.route ?? "hook",
    is_canary: stop.isCanary === true ? 1 : 0,
    trail: stop.trail == null ? null : trailToJson(stop.trail),
    save: stop.save ?? null,
    message_length: stop.messageLength ?? null,
  };
}
