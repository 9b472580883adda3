import type { Insertable } from "kysely";
import type { Connection } from "../sqlite/connection.ts";
import type { StopTable } from "../sqlite/database.ts";
import { trailToJson } from "./stop-trail.ts";
import type { Stop } from "./stop.ts";

/** A stop to be stored; one from the journal brings an id. */
export interface NewStop extends Stop {
  readonly journalId?: string;
}

/** Prepares to insert stops; run, it gives how many were new, because a line of the journal counts once. */
export function prepareInsertStops({ queries, prepareChange }: Connection, stops: readonly NewStop[]): () => number {
  return prepareChange(
    queries
      .insertInto("stops")
      .values(stops.map(toRow))
      .onConflict((conflict) => conflict.column("journal_id").where("journal_id", "is not", null).doNothing()),
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
    observations: JSON.stringify(stop.observations),
    duration_ms: Math.round(stop.durationMs),
    route: stop.route ?? "hook",
    is_canary: stop.isCanary === true ? 1 : 0,
    trail: stop.trail == null ? null : trailToJson(stop.trail),
    save: stop.save ?? null,
  };
}
