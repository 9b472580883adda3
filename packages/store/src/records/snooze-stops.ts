import type { QueryConnection } from "../sqlite/connection.ts";
import { type Snooze, type SnoozeScope, toSnoozeRow } from "./snooze.ts";

/** Lets the stops of a scope go for a while; what was said of the same scope before ends. */
export function snoozeStops(connection: QueryConnection, snooze: Snooze): void {
  const endFormer = prepareEndSnoozes(connection, snooze.scope, snooze.from);
  const insert = connection.prepareChange(connection.queries.insertInto("snoozes").values(toSnoozeRow(snooze)));
  connection.immediately(() => {
    endFormer();
    insert();
  });
}

/** Ends what lets the stops of a scope go, and gives how many snoozes that were. */
export function endSnoozes(connection: QueryConnection, scope: SnoozeScope, at: Date): number {
  return prepareEndSnoozes(connection, scope, at)();
}

/** One that only begins later, by a clock that was wrong, ends as well. */
function prepareEndSnoozes({ queries, prepareChange }: QueryConnection, scope: SnoozeScope, at: Date): () => number {
  const time = at.getTime();
  const open = queries.updateTable("snoozes").set({ until_at: time }).where("until_at", ">", time);
  return prepareChange(
    scope.kind === "project"
      ? open.where("scope", "=", "project").where("project_path", "=", scope.projectPath)
      : open.where("scope", "=", "session").where("agent", "=", scope.agent).where("session_id", "=", scope.sessionId),
  );
}
