import type { Connection } from "../sqlite/connection.ts";
import { prepareInsertStops } from "./insert-stops.ts";
import type { Stop } from "./stop.ts";
import { prepareUpsertSession } from "./upsert-session.ts";

/** Notes a stop, and its time in the session's row; a canary is of no session. */
export function recordStop(connection: Connection, stop: Stop): void {
  const changes: (() => unknown)[] = [prepareInsertStops(connection, [stop])];
  if (stop.sessionId !== "" && stop.isCanary !== true)
    changes.push(prepareUpsertSession(connection, stop, { last_stop_at: stop.at.getTime() }));
  connection.immediately(() => {
    for (const change of changes) change();
  });
}
