import type { AgentName } from "@agent-checkpoint/transcript";
import type { Insertable, Selectable } from "kysely";
import type { SnoozeTable } from "../sqlite/database.ts";

/** Whose stops are let go: those in a repository, by its root, or those of one session. */
export type SnoozeScope =
  | { readonly kind: "project"; readonly projectPath: string }
  | { readonly kind: "session"; readonly agent: AgentName; readonly sessionId: string };

/** A person's word that stops are let go for a while. */
export interface Snooze {
  readonly scope: SnoozeScope;
  readonly from: Date;
  /** The moment from which stops are judged again. */
  readonly until: Date;
  readonly reason: string | null;
  /** Who said so, and in which folder. */
  readonly madeBy: string;
  readonly madeIn: string;
}

/** A snooze as the table holds it. */
export function toSnoozeRow({ scope, from, until, reason, madeBy, madeIn }: Snooze): Insertable<SnoozeTable> {
  return {
    scope: scope.kind,
    project_path: scope.kind === "project" ? scope.projectPath : null,
    agent: scope.kind === "session" ? scope.agent : null,
    session_id: scope.kind === "session" ? scope.sessionId : null,
    from_at: from.getTime(),
    until_at: until.getTime(),
    reason,
    made_by: madeBy,
    made_in: madeIn,
  };
}

/** A row of the table, in the terms of the API; null where somebody has spoiled it. */
export function toSnooze(row: Selectable<SnoozeTable>): Snooze | null {
  const scope = scopeOf(row);
  if (scope === null) return null;
  return {
    scope,
    from: new Date(row.from_at),
    until: new Date(row.until_at),
    reason: row.reason,
    madeBy: row.made_by,
    madeIn: row.made_in,
  };
}

function scopeOf({ scope, project_path, agent, session_id }: Selectable<SnoozeTable>): SnoozeScope | null {
  if (scope === "project") return project_path === null ? null : { kind: "project", projectPath: project_path };
  return agent === null || session_id === null ? null : { kind: "session", agent, sessionId: session_id };
}
