import type { AgentName } from "@agent-checkpoint/transcript";
import type { Connection } from "./connection.ts";
import {
  columnNames,
  columnsOf,
  dateOrNull,
  fromRow,
  isRecord,
  parseJson,
  parseRecord,
  parseStrings,
  type Readers,
  type RowOf,
  toDate,
  toRow,
} from "./rows.ts";
import type { Change, Db, Rows } from "./schema.ts";

export const CREATE_SESSIONS = `
  CREATE TABLE sessions (
    agent TEXT NOT NULL,
    sessionId TEXT NOT NULL,
    projectPath TEXT,
    transcriptPath TEXT,
    workingSlug TEXT,
    firstSeenAt INTEGER NOT NULL,
    lastSeenAt INTEGER NOT NULL,
    lastMessageSentAt INTEGER,
    lastCheckpointAt INTEGER,
    currentTurn TEXT,
    lastBlockedTurn TEXT,
    lastStopAt INTEGER,
    touchedFiles TEXT NOT NULL,
    readUpTo INTEGER,
    baseline TEXT,
    route TEXT,
    contextMark TEXT,
    head TEXT,
    waitedFor TEXT,
    configs TEXT,
    PRIMARY KEY (agent, sessionId)
  ) STRICT;
`;

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

/** One row per session; the time of its last event is not part of the value. */
export type SessionTable = RowOf<Session & { readonly lastSeenAt: Date }>;

export const SESSION_COLUMNS = columnNames(CREATE_SESSIONS) as readonly (keyof SessionTable)[];

/** A session of which nothing is known yet. */
const BLANK = {
  ...(Object.fromEntries(SESSION_COLUMNS.map((name) => [name, null])) as unknown as SessionTable),
  touchedFiles: "[]",
};

export const SESSION_QUERIES = {
  findSession: (db: Db, { agent, sessionId }: SessionKey): Rows<SessionTable> =>
    db.selectFrom("sessions").selectAll().where("agent", "=", agent).where("sessionId", "=", sessionId),

  listSessions: (db: Db, { agent }: { readonly agent: AgentName | null }): Rows<SessionTable> =>
    db
      .selectFrom("sessions")
      .selectAll()
      .where("agent", "=", (column) => column.fn.coalesce(column.val(agent), "agent"))
      .orderBy("lastSeenAt", "desc")
      .orderBy("sessionId"),

  putSession: (db: Db, row: SessionTable): Change =>
    db
      .insertInto("sessions")
      .values(columnsOf(SESSION_COLUMNS, row))
      .onConflict((conflict) =>
        conflict
          .columns(["agent", "sessionId"])
          .doUpdateSet((column) =>
            Object.fromEntries(SESSION_COLUMNS.map((name) => [name, column.ref(`excluded.${name}`)])),
          ),
      ),

  /** Removes the mark of a released block. */
  releaseSession: (db: Db, { agent, sessionId, turn }: SessionKey & { readonly turn: string }): Change =>
    db
      .updateTable("sessions")
      .set({ lastCheckpointAt: null, lastBlockedTurn: null })
      .where("agent", "=", agent)
      .where("sessionId", "=", sessionId)
      .where("lastBlockedTurn", "=", turn),

  deleteSession: (db: Db, { agent, sessionId }: SessionKey): Change =>
    db.deleteFrom("sessions").where("agent", "=", agent).where("sessionId", "=", sessionId),
};

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
  { touchedFiles = [], waitedFor = [], ...changes }: SessionChanges,
): void {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  connection.immediately(() =>
    writeSession(connection, { agent, sessionId, at: connection.now() }, (row) => ({
      ...toRow(Object.fromEntries(given)),
      touchedFiles: withAdded(row.touchedFiles, touchedFiles) ?? "[]",
      waitedFor: withAdded(row.waitedFor, waitedFor),
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
      if (row.lastMessageSentAt === at.getTime() && row.currentTurn === turn) return {};
      const isFirst = row.lastMessageSentAt === null && row.lastStopAt === null;
      return {
        projectPath: projectPath ?? row.projectPath,
        transcriptPath: transcriptPath ?? row.transcriptPath,
        lastMessageSentAt: at.getTime(),
        lastCheckpointAt: null,
        currentTurn: turn,
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
  const row = known ?? { ...BLANK, agent, sessionId, firstSeenAt: time, lastSeenAt: time };
  const seen = { lastSeenAt: Math.max(row.lastSeenAt, time), projectPath: row.projectPath ?? projectPath };
  connection.run("putSession", { ...row, ...seen, ...change(row) }, known);
}

function toSession(row: SessionTable): Session {
  return fromRow<Session>(row, READERS, ["lastSeenAt"]);
}

const READERS: Readers<Session> = {
  firstSeenAt: toDate,
  lastMessageSentAt: dateOrNull,
  lastCheckpointAt: dateOrNull,
  lastStopAt: dateOrNull,
  touchedFiles: parseStrings,
  baseline: parseRecord,
  configs: orAbsent,
  head: orAbsent,
  waitedFor: (text) => (text === null ? undefined : parseStrings(text)),
  contextMark: (text) => (text === null ? undefined : parseContextMark(text)),
};

function orAbsent<Value>(value: Value | null): Value | undefined {
  return value ?? undefined;
}

export function parseContextMark(text: string): ContextMark | null {
  const value = parseJson(text);
  const at = isRecord(value) && typeof value["at"] === "string" ? new Date(value["at"]) : null;
  if (!isRecord(value) || at === null || Number.isNaN(at.getTime())) return null;
  return { at, isArmed: value["isArmed"] === true, hasFailed: value["hasFailed"] === true };
}

const MAX_ADDED = 5000;

/** The list with names added at its end; the oldest are dropped if it grows too long. */
function withAdded(known: string | null, added: readonly string[]): string | null {
  if (added.length === 0) return known;
  const isAdded = new Set(added);
  const names = [...parseStrings(known).filter((name) => !isAdded.has(name)), ...lastOfEach(added)];
  return JSON.stringify(names.slice(-MAX_ADDED));
}

/** Each name once, at its last place. */
function lastOfEach(names: readonly string[]): string[] {
  return [...new Set(names.toReversed())].toReversed();
}
