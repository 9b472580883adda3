import type { AgentName } from "@agent-checkpoint/transcript";
import type { Selectable } from "kysely";
import type { Connection } from "../sqlite/connection.ts";
import type { SnoozeTable } from "../sqlite/database.ts";
import { type Snooze, toSnooze } from "./snooze.ts";

/** A stop that may be snoozed: its session, and the spellings of its repository's root. */
export interface SnoozedPlace {
  readonly agent: AgentName;
  readonly sessionId: string;
  readonly projectPaths: readonly string[];
}

/** The snoozes in force at a time, the one that ends first at the head. */
export function listSnoozes(connection: Connection, at: Date): Snooze[] {
  return inForce(connection, at)()
    .map(toSnooze)
    .filter((snooze) => snooze !== null);
}

/** Whether one of the snoozes is about a stop. */
export function isSnoozed(
  snoozes: readonly Pick<Snooze, "scope">[],
  { agent, sessionId, projectPaths }: SnoozedPlace,
): boolean {
  return snoozes.some(({ scope }) =>
    scope.kind === "project"
      ? projectPaths.includes(scope.projectPath)
      : scope.agent === agent && scope.sessionId === sessionId,
  );
}

/** One from the future is of a clock that was set back since: it would hold for longer than was meant. */
function inForce({ prepareRows }: Connection, at: Date) {
  const time = at.getTime();
  return prepareRows<Selectable<SnoozeTable>>(
    "SELECT * FROM snoozes WHERE until_at > ? AND from_at <= ? ORDER BY until_at, id",
    [time, time],
  );
}
