import type { QueryConnection } from "../sqlite/connection.ts";
import { type Snooze, type SnoozeScope, toSnoozeRow } from "./snooze.ts";

/** Snoozes the stops of a scope, or ends that if there is no `snooze`; gives how many earlier snoozes of the scope it ended. */
export function setSnooze(
  connection: QueryConnection,
  scope: SnoozeScope,
  snooze: Omit<Snooze, "scope"> | null,
  at: Date,
): number {
  const endFormer = prepareEndSnoozes(connection, scope, at);
  const { queries, prepareChange, immediately } = connection;
  const insert = snooze && prepareChange(queries.insertInto("snoozes").values(toSnoozeRow({ ...snooze, scope })));
  return immediately(() => {
    const ended = endFormer();
    insert?.();
    return ended;
  });
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
