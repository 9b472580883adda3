import type { AgentName } from "@agent-checkpoint/transcript";
import type { Generated, Selectable } from "kysely";
import { columnNames, columnsOf, type Connection } from "./connection.ts";
import type { Change, Db, Rows } from "./schema.ts";
import type { SessionKey } from "./sessions.ts";

export const CREATE_SNOOZES = `
  CREATE TABLE snoozes (
    id INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    project_path TEXT,
    agent TEXT,
    session_id TEXT,
    from_at INTEGER NOT NULL,
    until_at INTEGER NOT NULL,
    reason TEXT,
    made_by TEXT NOT NULL,
    made_in TEXT NOT NULL
  ) STRICT;
  CREATE INDEX snoozes_by_end ON snoozes (until_at);
`;

/** One row per snooze. */
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

export const SNOOZE_QUERIES = {
  /** A snooze that begins in the future comes from a clock that was set back: it would last too long. */
  listSnoozes: (db: Db, { at }: { readonly at: number }): Rows<SnoozeTable> =>
    db
      .selectFrom("snoozes")
      .selectAll()
      .where("until_at", ">", at)
      .where("from_at", "<=", at)
      .orderBy("until_at")
      .orderBy("id"),

  insertSnooze: (db: Db, row: Omit<SnoozeTable, "id">): Change =>
    db.insertInto("snoozes").values(columnsOf(columnNames(CREATE_SNOOZES), row)),

  /** A snooze that begins later, by a wrong clock, ends as well. */
  endSnoozes: (db: Db, key: ScopeColumns & { readonly at: number }): Change =>
    db
      .updateTable("snoozes")
      .set({ until_at: key.at })
      .where("until_at", ">", key.at)
      .where("scope", "=", key.scope)
      .where("project_path", "is", key.project_path)
      .where("agent", "is", key.agent)
      .where("session_id", "is", key.session_id),

  pruneSnoozes: (db: Db, { before }: { readonly before: number }): Change =>
    db.deleteFrom("snoozes").where("until_at", "<", before),
};

type ScopeColumns = Pick<Selectable<SnoozeTable>, "scope" | "project_path" | "agent" | "session_id">;

/** Whose stops pass: those in a repository, by its root, or those of one session. */
export type SnoozeScope =
  | { readonly kind: "project"; readonly projectPath: string }
  | ({ readonly kind: "session" } & SessionKey);

/** A user's request to let stops pass for a while. */
export interface Snooze {
  readonly scope: SnoozeScope;
  readonly from: Date;
  /** From this time on stops are judged again. */
  readonly until: Date;
  readonly reason: string | null;
  /** Who asked, and in which folder. */
  readonly madeBy: string;
  readonly madeIn: string;
}

export function setSnooze(
  connection: Connection,
  scope: SnoozeScope,
  snooze: Omit<Snooze, "scope"> | null,
  at: Date,
): number {
  const columns = toColumns(scope);
  return connection.immediately(() => {
    const ended = connection.run("endSnoozes", { ...columns, at: at.getTime() });
    if (snooze !== null) {
      const { from, until, reason, madeBy, madeIn } = snooze;
      const times = { from_at: from.getTime(), until_at: until.getTime() };
      connection.run("insertSnooze", { ...columns, ...times, reason, made_by: madeBy, made_in: madeIn });
    }
    return ended;
  });
}

export function listSnoozes(connection: Connection, at: Date): Snooze[] {
  return connection.rows("listSnoozes", { at: at.getTime() }).flatMap((row) => {
    const scope = toScope(row);
    // A malformed row lets no stop pass.
    if (scope === null) return [];
    const times = { from: new Date(row.from_at), until: new Date(row.until_at) };
    return [{ scope, ...times, reason: row.reason, madeBy: row.made_by, madeIn: row.made_in }];
  });
}

/** A stop that may be snoozed: its session, and the spellings of its repository's root. */
export interface SnoozedPlace extends SessionKey {
  readonly projectPaths: readonly string[];
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

function toColumns(scope: SnoozeScope): ScopeColumns {
  return scope.kind === "project"
    ? { scope: "project", project_path: scope.projectPath, agent: null, session_id: null }
    : { scope: "session", project_path: null, agent: scope.agent, session_id: scope.sessionId };
}

function toScope({ scope, project_path, agent, session_id }: ScopeColumns): SnoozeScope | null {
  if (scope === "project") return project_path === null ? null : { kind: "project", projectPath: project_path };
  return agent === null || session_id === null ? null : { kind: "session", agent, sessionId: session_id };
}
