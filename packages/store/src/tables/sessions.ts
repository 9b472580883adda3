import type { AgentName } from "@agent-checkpoint/transcript";
import type { Selectable } from "kysely";
import {
  columnNames,
  columnsOf,
  type Connection,
  dateOrNull,
  isRecord,
  parseJson,
  parseRecord,
  parseStrings,
} from "./connection.ts";
import type { Change, Db, Rows } from "./schema.ts";

export const CREATE_SESSIONS = `
  CREATE TABLE sessions (
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    project_path TEXT,
    transcript_path TEXT,
    working_slug TEXT,
    first_seen_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    last_message_sent_at INTEGER,
    last_checkpoint_at INTEGER,
    current_turn TEXT,
    last_blocked_turn TEXT,
    last_stop_at INTEGER,
    touched_files TEXT NOT NULL DEFAULT '[]',
    read_up_to INTEGER,
    baseline TEXT,
    route TEXT,
    context_mark TEXT,
    head TEXT,
    waited_for TEXT NOT NULL DEFAULT '[]',
    configs TEXT,
    PRIMARY KEY (agent, session_id)
  ) STRICT;
`;

/** One row per session. */
export interface SessionTable {
  readonly agent: AgentName;
  readonly session_id: string;
  readonly project_path: string | null;
  readonly transcript_path: string | null;
  readonly working_slug: string | null;
  readonly first_seen_at: number;
  readonly last_seen_at: number;
  readonly last_message_sent_at: number | null;
  readonly last_checkpoint_at: number | null;
  readonly current_turn: string | null;
  readonly last_blocked_turn: string | null;
  readonly last_stop_at: number | null;
  readonly touched_files: string;
  readonly read_up_to: number | null;
  readonly baseline: string | null;
  readonly route: Route | null;
  readonly context_mark: string | null;
  readonly head: string | null;
  readonly waited_for: string;
  readonly configs: string | null;
}

export const SESSION_COLUMNS = columnNames(CREATE_SESSIONS) as readonly (keyof SessionTable)[];

/** A session before anything is known of it. */
const BLANK = Object.fromEntries(SESSION_COLUMNS.map((name) => [name, null])) as unknown as SessionTable;

export const SESSION_QUERIES = {
  findSession: (db: Db, { agent, sessionId }: SessionKey): Rows<SessionTable> =>
    db.selectFrom("sessions").selectAll().where("agent", "=", agent).where("session_id", "=", sessionId),

  listSessions: (db: Db, { agent }: { readonly agent: AgentName | null }): Rows<SessionTable> =>
    db
      .selectFrom("sessions")
      .selectAll()
      .where("agent", "=", (column) => column.fn.coalesce(column.val(agent), "agent"))
      .orderBy("last_seen_at", "desc")
      .orderBy("session_id"),

  putSession: (db: Db, row: SessionTable): Change =>
    db
      .insertInto("sessions")
      .values(columnsOf(SESSION_COLUMNS, row))
      .onConflict((conflict) =>
        conflict
          .columns(["agent", "session_id"])
          .doUpdateSet((column) =>
            Object.fromEntries(SESSION_COLUMNS.map((name) => [name, column.ref(`excluded.${name}`)])),
          ),
      ),

  /** Removes the mark of a released block. */
  releaseSession: (db: Db, { agent, sessionId, turn }: SessionKey & { readonly turn: string }): Change =>
    db
      .updateTable("sessions")
      .set({ last_checkpoint_at: null, last_blocked_turn: null })
      .where("agent", "=", agent)
      .where("session_id", "=", sessionId)
      .where("last_blocked_turn", "=", turn),

  deleteSession: (db: Db, { agent, sessionId }: SessionKey): Change =>
    db.deleteFrom("sessions").where("agent", "=", agent).where("session_id", "=", sessionId),

  pruneSessions: (db: Db, { before }: { readonly before: number }): Change =>
    db.deleteFrom("sessions").where("last_seen_at", "<", before),
};

/** Which session of which agent. */
export interface SessionKey {
  readonly agent: AgentName;
  readonly sessionId: string;
}

/** The route of a message to the agent. */
export type Route = "hook" | "queue" | "tmux";

/** The signature of every file that was already changed when the session began, by path. */
export type Baseline = Readonly<Record<string, string>>;

/** The last save of a session's work for a full context, successful or not. */
export interface ContextMark {
  readonly at: Date;
  /** Whether the context has been emptier since, so that the next crossing counts again. */
  readonly isArmed: boolean;
  /** Whether it failed and should be tried again. */
  readonly hasFailed: boolean;
}

/** What is known of one session of an agent. */
export interface Session extends SessionKey {
  readonly projectPath: string | null;
  readonly transcriptPath: string | null;
  readonly workingSlug: string | null;
  readonly firstSeenAt: Date;
  /** The time of the last human prompt. */
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
  /** The route of messages into this session, if one was chosen. */
  readonly route: Route | null;
  /** The configs at the last human prompt, as text; absent if they are not known. */
  readonly configs?: string | undefined;
  /** The background tasks that a stop of the session has waited for; absent if there were none. */
  readonly waitedFor?: readonly string[] | undefined;
  /** HEAD's commit at the last human prompt, if git's files show it. */
  readonly head?: string | null | undefined;
  /** When the session's work was last saved for a full context; absent if it never was. */
  readonly contextMark?: ContextMark | null | undefined;
}

/** Which sessions are wanted; all of them by default. */
export interface SessionFilter {
  readonly agent?: AgentName | undefined;
  readonly sessionId?: string | undefined;
}

export function listSessions(connection: Connection, { agent, sessionId }: SessionFilter = {}): Session[] {
  if (agent !== undefined && sessionId !== undefined)
    return connection.rows("findSession", { agent, sessionId }).map(toSession);
  const sessions = connection.rows("listSessions", { agent: agent ?? null }).map(toSession);
  return sessions.filter((session) => sessionId === undefined || session.sessionId === sessionId);
}

/** The fields that may be set; a field that is left out stays unchanged. */
export type SessionChanges = {
  readonly [
    Field in
      | "projectPath"
      | "transcriptPath"
      | "workingSlug"
      | "readUpTo"
      | "baseline"
      | "touchedFiles"
      | "waitedFor"
      | "route"
      | "contextMark"
  ]?: Session[Field] | undefined;
};

/** Sets what is given and leaves the rest; touched files and tasks are added to those known. */
export function updateSession(
  connection: Connection,
  agent: AgentName,
  sessionId: string,
  changes: SessionChanges,
): void {
  const { projectPath, transcriptPath, workingSlug, readUpTo, baseline, route, contextMark, touchedFiles, waitedFor } =
    changes;
  const given = {
    ...(projectPath !== undefined && { project_path: projectPath }),
    ...(transcriptPath !== undefined && { transcript_path: transcriptPath }),
    ...(workingSlug !== undefined && { working_slug: workingSlug }),
    ...(readUpTo !== undefined && { read_up_to: readUpTo }),
    ...(route !== undefined && { route }),
    ...(baseline !== undefined && { baseline: baseline && JSON.stringify(baseline) }),
    ...(contextMark !== undefined && { context_mark: contextMark && contextMarkToJson(contextMark) }),
  };
  connection.immediately(() =>
    writeSession(connection, { agent, sessionId, at: connection.now() }, (row) => ({
      ...given,
      ...(touchedFiles !== undefined && { touched_files: withAdded(row.touched_files, touchedFiles) }),
      ...(waitedFor !== undefined && { waited_for: withAdded(row.waited_for, waitedFor) }),
    })),
  );
}

/** A prompt of the human. */
export interface Prompt extends SessionKey {
  readonly projectPath: string | null;
  readonly transcriptPath: string | null;
  /** The turn it opens, if the agent names it. */
  readonly turn: string | null;
  readonly at: Date;
  /** The files that were changed before the session did anything: stored at its first prompt, ignored later. */
  readonly baseline?: Baseline | undefined;
  /** HEAD's commit; null if git's files do not show it. */
  readonly head?: string | null | undefined;
  /** The configs of the project as text; null if they are not known. */
  readonly configs?: string | null | undefined;
}

/** Records a human prompt: a turn begins and may be blocked again. A prompt that is already recorded begins none. */
export function recordPrompt(connection: Connection, prompt: Prompt): void {
  const { projectPath, transcriptPath, turn, at, baseline, head = null, configs = null } = prompt;
  connection.immediately(() =>
    writeSession(connection, prompt, (row) => {
      if (row.last_message_sent_at === at.getTime() && row.current_turn === turn) return {};
      const isFirst = row.last_message_sent_at === null && row.last_stop_at === null;
      return {
        project_path: projectPath ?? row.project_path,
        transcript_path: transcriptPath ?? row.transcript_path,
        last_message_sent_at: at.getTime(),
        last_checkpoint_at: null,
        current_turn: turn,
        head,
        configs,
        ...(isFirst && baseline !== undefined && { baseline: JSON.stringify(baseline) }),
      };
    }),
  );
}

/** An event in a session. */
export interface Sighting extends SessionKey {
  readonly at: Date;
  /** Sets the row's project if it has none. */
  readonly projectPath?: string | null | undefined;
}

/** Changes a session's row, or creates it; runs inside a transaction. */
export function writeSession(
  connection: Connection,
  { agent, sessionId, at, projectPath = null }: Sighting,
  change: (row: SessionTable) => Partial<SessionTable>,
): void {
  const time = at.getTime();
  const [known] = connection.rows("findSession", { agent, sessionId });
  const blank = {
    ...BLANK,
    agent,
    session_id: sessionId,
    first_seen_at: time,
    last_seen_at: time,
    touched_files: "[]",
    waited_for: "[]",
  };
  const row = known ?? blank;
  const seen = { last_seen_at: Math.max(row.last_seen_at, time), project_path: row.project_path ?? projectPath };
  connection.run("putSession", { ...row, ...seen, ...change(row) }, known);
}

function toSession(row: Selectable<SessionTable>): Session {
  return {
    agent: row.agent,
    sessionId: row.session_id,
    projectPath: row.project_path,
    transcriptPath: row.transcript_path,
    workingSlug: row.working_slug,
    firstSeenAt: new Date(row.first_seen_at),
    lastMessageSentAt: dateOrNull(row.last_message_sent_at),
    lastCheckpointAt: dateOrNull(row.last_checkpoint_at),
    currentTurn: row.current_turn,
    lastBlockedTurn: row.last_blocked_turn,
    lastStopAt: dateOrNull(row.last_stop_at),
    touchedFiles: parseStrings(row.touched_files),
    readUpTo: row.read_up_to,
    baseline: parseRecord(row.baseline),
    route: row.route,
    ...(row.configs !== null && { configs: row.configs }),
    ...(row.waited_for !== "[]" && { waitedFor: parseStrings(row.waited_for) }),
    ...(row.head !== null && { head: row.head }),
    ...(row.context_mark !== null && { contextMark: parseContextMark(row.context_mark) }),
  };
}

export function contextMarkToJson({ at, isArmed, hasFailed }: ContextMark): string {
  return JSON.stringify({ at: at.getTime(), isArmed, hasFailed });
}

export function parseContextMark(text: string): ContextMark | null {
  const value = parseJson(text);
  if (!isRecord(value) || typeof value["at"] !== "number") return null;
  return { at: new Date(value["at"]), isArmed: value["isArmed"] === true, hasFailed: value["hasFailed"] === true };
}

const MAX_ADDED = 5000;

/** The list with names added at its end; the oldest are dropped if it grows too long. */
function withAdded(known: string, added: readonly string[]): string {
  if (added.length === 0) return known;
  const isAdded = new Set(added);
  const names = [...parseStrings(known).filter((name) => !isAdded.has(name)), ...lastOfEach(added)];
  return JSON.stringify(names.slice(-MAX_ADDED));
}

/** Each name once, at its last place. */
function lastOfEach(names: readonly string[]): string[] {
  return [...new Set(names.toReversed())].toReversed();
}
