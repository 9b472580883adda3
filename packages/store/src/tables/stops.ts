import type { AgentName } from "@agent-checkpoint/transcript";
import type { Generated, Nullable, Selectable } from "kysely";
import type { Connection } from "./connection.ts";
import {
  columnNames,
  columnsOf,
  dateOrNull,
  fromRow,
  isRecord,
  numberOrNull,
  parseJson,
  parseRecord,
  parseStrings,
  type RowOf,
  stringOrNull,
  toDate,
  toRow,
} from "./rows.ts";
import type { Change, Db, Rows } from "./schema.ts";
import { type Route, type SessionKey, writeSession } from "./sessions.ts";

export const CREATE_STOPS = `
  CREATE TABLE stops (
    id INTEGER PRIMARY KEY,
    agent TEXT NOT NULL,
    sessionId TEXT NOT NULL,
    projectPath TEXT,
    repository TEXT,
    turn TEXT,
    at INTEGER NOT NULL,
    decision TEXT NOT NULL,
    reason TEXT NOT NULL,
    actions TEXT NOT NULL,
    observations TEXT NOT NULL,
    messageLength INTEGER,
    durationMs INTEGER NOT NULL,
    route TEXT NOT NULL,
    isCanary INTEGER NOT NULL,
    trail TEXT,
    save TEXT,
    quiet TEXT
  ) STRICT;
  CREATE INDEX stops_by_time ON stops (at, isCanary, agent, repository, projectPath, decision, durationMs);
  CREATE INDEX stops_by_session ON stops (agent, sessionId, at);

  CREATE TABLE blocks (
    agent TEXT NOT NULL,
    sessionId TEXT NOT NULL,
    turn TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (agent, sessionId, turn)
  ) STRICT, WITHOUT ROWID;
`;

/** One stop of an agent and its outcome. */
export interface Stop {
  readonly agent: AgentName;
  /** Empty if the event named no session. */
  readonly sessionId: string;
  readonly projectPath: string | null;
  /** What all work trees of the repository have in common, whether they still exist or not; null by default. */
  readonly repository?: string | null | undefined;
  readonly turn: string | null;
  readonly at: Date;
  readonly decision: "block" | "pass";
  /** Why it was blocked or passed, in kebab-case. */
  readonly reason: string;
  /** The ids of the actions asked for. */
  readonly actions: readonly string[];
  /** What the checks found; in a block the agent has read it. */
  readonly observations: readonly StopObservation[];
  /** How many characters the message had that was sent; null for a stop without one. */
  readonly messageLength?: number | null | undefined;
  readonly durationMs: number;
  /** The route of the message, sent or not; `hook` by default. */
  readonly route?: Route | undefined;
  /** Whether it is a canary; false by default. */
  readonly isCanary?: boolean | undefined;
  /** What it was judged on; null by default. */
  readonly trail?: StopTrail | null | undefined;
  /** The outcome of a save at this stop; absent if none was tried. */
  readonly save?: string | null | undefined;
  /** The rules that found something and may not block for it, each with its mode; none by default. */
  readonly quiet?: Readonly<Record<string, string>> | undefined;
}

/** A stop as it is in the store. */
export interface StoredStop extends Stop {
  /** Its number, which users refer to. */
  readonly id: number;
  readonly route: Route;
  readonly isCanary: boolean;
  readonly trail: StopTrail | null;
  readonly messageLength: number | null;
  readonly repository: string | null;
  readonly quiet: Readonly<Record<string, string>>;
}

/** What a check found at a stop, in one sentence. */
export interface StopObservation {
  /** The check's id. */
  readonly check: string;
  readonly text: string;
  /** Whether it is a reason to block by itself. */
  readonly isFailure: boolean;
}

/** What a stop was judged on, for a later explanation: positions and names, no text of the conversation. */
export interface StopTrail {
  readonly transcriptPath: string | null;
  /** The offset of the turn's prompt in the transcript, in bytes; null if the turn was not read. */
  readonly turnStart: number | null;
  /** How many bytes the transcript had when it was read; null if it was not. */
  readonly readUpTo: number | null;
  readonly promptAt: Date | null;
  /** The first files that the verdict is about, relative to the repository; null if git failed or was not asked. */
  readonly changedFiles: readonly string[] | null;
  /** How many there were. */
  readonly changedFileCount: number | null;
  readonly workingSlug: string | null;
}

/** One row per stop. */
export type StopTable = RowOf<Omit<StoredStop, "id" | "quiet">> & {
  readonly id: Generated<number>;
  readonly quiet: string | null;
};

/** One row per name of a turn that was blocked. */
export type BlockTable = RowOf<TurnKey & { readonly at: Date }>;

interface TurnKey extends SessionKey {
  readonly turn: string;
}

interface StopMatch {
  readonly since: number;
  readonly agent: AgentName | null;
  readonly isCanary: 0 | 1 | null;
  readonly repository: string | null;
  /** A rule's id as JSON. */
  readonly named: string | null;
  /** SQLite takes -1 for no limit. */
  readonly limit: number;
}

export const STOP_QUERIES = {
  insertStop: (db: Db, row: Omit<StopTable, "id">): Change =>
    db.insertInto("stops").values(columnsOf(columnNames(CREATE_STOPS), row)),

  findStop: (db: Db, { id }: { readonly id: number }): Rows<StopTable> =>
    db.selectFrom("stops").selectAll().where("id", "=", id),

  listStops: (db: Db, match: StopMatch & Pick<Nullable<SessionKey>, "sessionId">): Rows<StopTable> =>
    matchingStops(db, match)
      .where("agent", "=", (column) => column.fn.coalesce(column.val(match.agent), "agent"))
      .where("sessionId", "=", (column) => column.fn.coalesce(column.val(match.sessionId), "sessionId")),

  /** The same by the index of sessions. */
  listStopsOfSession: (db: Db, match: StopMatch & SessionKey): Rows<StopTable> =>
    matchingStops(db, match).where("agent", "=", match.agent).where("sessionId", "=", match.sessionId),

  /** A stop has outcomes if it was a block, or if rules that may not block found something. */
  listUnsettledStops: (db: Db, _none: object): Rows<StopTable> =>
    db
      .selectFrom("stops")
      .selectAll()
      .where("isCanary", "=", 0)
      .where((where) => where.or([where("decision", "=", "block"), where("quiet", "is not", null)]))
      .where((where) =>
        where.not(
          where.exists(where.selectFrom("outcomes").select("stopId").whereRef("outcomes.stopId", "=", "stops.id")),
        ),
      )
      .orderBy("at", "desc"),

  releaseStop: (db: Db, { agent, sessionId, turn, reason }: TurnKey & { readonly reason: string }): Change =>
    db
      .updateTable("stops")
      .set({ decision: "pass", reason })
      .where("agent", "=", agent)
      .where("sessionId", "=", sessionId)
      .where("turn", "=", turn)
      .where("decision", "=", "block"),

  findStopSince: (db: Db, { since }: { readonly since: number }): Rows<Pick<StopTable, "at">> =>
    db.selectFrom("stops").select("at").where("at", ">", since).limit(1),

  findBlock: (db: Db, { agent, sessionId, turn }: TurnKey): Rows<Pick<BlockTable, "at">> =>
    db
      .selectFrom("blocks")
      .select("at")
      .where("agent", "=", agent)
      .where("sessionId", "=", sessionId)
      .where("turn", "=", turn),

  insertBlock: (db: Db, { agent, sessionId, turn, at }: TurnKey & { readonly at: number }): Change =>
    db.insertInto("blocks").values({ agent, sessionId, turn, at }),

  deleteBlock: (db: Db, { agent, sessionId, turn }: TurnKey): Change =>
    db.deleteFrom("blocks").where("agent", "=", agent).where("sessionId", "=", sessionId).where("turn", "=", turn),
};

function matchingStops(db: Db, { since, isCanary, repository, named, limit }: Omit<StopMatch, "agent">) {
  return db
    .selectFrom("stops")
    .selectAll()
    .where("at", ">=", since)
    .where("isCanary", "=", (column) => column.fn.coalesce(column.val(isCanary), "isCanary"))
    .where((where) =>
      where.or([
        where(where.val(repository), "is", null),
        where(where.fn.coalesce("repository", "projectPath"), "=", where.val(repository)),
      ]),
    )
    .where((where) =>
      where.or([
        where(where.val(named), "is", null),
        where(where.fn<number>("instr", ["actions", where.val(named)]), ">", 0),
        where(where.fn<number>("instr", ["observations", where.val(named)]), ">", 0),
      ]),
    )
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
}

/** Records a stop, and its time in the session's row. */
export function recordStop(connection: Connection, stop: Stop): void {
  connection.immediately(() => {
    connection.run("insertStop", stopToRow(stop));
    if (hasSession(stop)) writeSession(connection, stop, () => ({ lastStopAt: stop.at.getTime() }));
  });
}

/** Canaries do not belong to a session. */
function hasSession({ sessionId, isCanary }: Pick<Stop, "sessionId" | "isCanary">): boolean {
  return sessionId !== "" && isCanary !== true;
}

/** Which stops are wanted; all of them by default. */
export interface StopFilter {
  readonly id?: number | undefined;
  readonly agent?: AgentName | undefined;
  readonly sessionId?: string | undefined;
  /** The earliest time, itself included. */
  readonly since?: Date | undefined;
  /** Only the canaries, or none of them. */
  readonly isCanary?: boolean | undefined;
  /** What all work trees of a repository have in common, or the folder of stops outside of one. */
  readonly repository?: string | undefined;
  /** A rule that an action or an observation of the stop names. */
  readonly rule?: string | undefined;
  /** All stops whose outcomes are not recorded yet; no other field counts then. */
  readonly isUnsettled?: boolean | undefined;
  readonly limit?: number | undefined;
}

export function listStops(connection: Connection, filter: StopFilter = {}): StoredStop[] {
  const { id, agent, sessionId, since, isCanary, repository, rule, isUnsettled, limit } = filter;
  if (id !== undefined) return connection.rows("findStop", { id }).map(toStop);
  if (isUnsettled === true) return connection.rows("listUnsettledStops", {}).map(toStop);
  const match = {
    since: since?.getTime() ?? Number.MIN_SAFE_INTEGER,
    isCanary: isCanary === undefined ? null : isCanary ? (1 as const) : (0 as const),
    repository: repository ?? null,
    named: rule === undefined ? null : JSON.stringify(rule),
    limit: limit ?? -1,
  };
  const rows =
    agent === undefined || sessionId === undefined
      ? connection.rows("listStops", { agent: agent ?? null, sessionId: sessionId ?? null, ...match })
      : connection.rows("listStopsOfSession", { agent, sessionId, ...match });
  return rows.map(toStop);
}

export function isBlocked(
  connection: Connection,
  agent: AgentName,
  sessionId: string,
  turns: readonly string[],
): boolean {
  return turns.some((turn) => connection.rows("findBlock", { agent, sessionId, turn }).length > 0);
}

export interface BlockClaim extends SessionKey {
  /** All names of the turn; the stop is recorded under the first. */
  readonly turns: readonly string[];
  readonly at: Date;
  /** What is recorded if the block is granted. */
  readonly stop: Omit<Stop, "agent" | "sessionId" | "turn" | "at" | "decision">;
}

/** Whether the caller may send the block. */
export interface BlockOutcome {
  readonly claimed: boolean;
}

/** Claims the turn's one block and records it. A turn without a name could be blocked forever, so it never is. */
export function claimBlock(connection: Connection, claim: BlockClaim): BlockOutcome {
  const { agent, sessionId, turns, at, stop } = claim;
  const [turn] = turns;
  if (turn === undefined) return { claimed: false };
  const time = at.getTime();
  const block: Stop = { ...stop, agent, sessionId, turn, at, decision: "block" };
  return connection.immediately(() => {
    if (isBlocked(connection, agent, sessionId, turns)) return { claimed: false };
    for (const name of new Set(turns)) connection.run("insertBlock", { agent, sessionId, turn: name, at: time });
    connection.run("insertStop", stopToRow(block));
    if (hasSession(block))
      writeSession(connection, block, () => ({
        lastCheckpointAt: time,
        lastBlockedTurn: turn,
        lastStopAt: time,
      }));
    return { claimed: true };
  });
}

/** A block whose message never reached the agent. */
export interface BlockRelease extends SessionKey {
  /** The names it was claimed with. */
  readonly turns: readonly string[];
  /** Why it did not arrive, in kebab-case. */
  readonly reason: string;
}

/** Releases a claimed block: its stop becomes a pass, the session's mark goes, and another route may block the turn. */
export function releaseBlock(connection: Connection, { agent, sessionId, turns, reason }: BlockRelease): void {
  connection.immediately(() => {
    for (const turn of turns) {
      connection.run("deleteBlock", { agent, sessionId, turn });
      connection.run("releaseStop", { agent, sessionId, turn, reason });
      connection.run("releaseSession", { agent, sessionId, turn });
    }
  });
}

function stopToRow(stop: Stop): Omit<StopTable, "id"> {
  return {
    ...toRow({ repository: null, messageLength: null, save: null, ...stop }),
    observations: JSON.stringify(stop.observations.map(({ check, text, isFailure }) => ({ check, text, isFailure }))),
    durationMs: Math.round(stop.durationMs),
    route: stop.route ?? "hook",
    isCanary: stop.isCanary === true ? 1 : 0,
    trail: stop.trail == null ? null : trailToJson(stop.trail),
    quiet: Object.keys(stop.quiet ?? {}).length === 0 ? null : JSON.stringify(stop.quiet),
  };
}

export function toStop(row: Selectable<StopTable>): StoredStop {
  return fromRow<StoredStop>(
    { ...row, quiet: row.quiet ?? "{}" },
    {
      at: toDate,
      actions: parseStrings,
      observations: parseObservations,
      isCanary: (cell) => cell === 1,
      trail: parseTrail,
      save: (cell) => cell ?? undefined,
      quiet: (cell) => parseRecord(cell) ?? {},
    },
  );
}

function parseObservations(text: string): StopObservation[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    if (!isRecord(item)) return [];
    const { check, text: sentence, isFailure } = item;
    if (typeof check !== "string" || typeof sentence !== "string") return [];
    return [{ check, text: sentence, isFailure: isFailure === true }];
  });
}

const MAX_FILES = 200;

export function trailToJson({ changedFiles, changedFileCount, promptAt, ...rest }: StopTrail): string {
  return JSON.stringify({
    ...rest,
    promptAt: promptAt?.getTime() ?? null,
    changedFiles: changedFiles?.slice(0, MAX_FILES) ?? null,
    changedFileCount: changedFileCount ?? changedFiles?.length ?? null,
  });
}

export function parseTrail(text: string | null): StopTrail | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  const { transcriptPath, turnStart, readUpTo, promptAt, changedFiles, changedFileCount, workingSlug } = value;
  return {
    transcriptPath: stringOrNull(transcriptPath),
    turnStart: numberOrNull(turnStart),
    readUpTo: numberOrNull(readUpTo),
    promptAt: dateOrNull(promptAt),
    changedFiles: Array.isArray(changedFiles) ? changedFiles.filter((file) => typeof file === "string") : null,
    changedFileCount: numberOrNull(changedFileCount),
    workingSlug: stringOrNull(workingSlug),
  };
}
