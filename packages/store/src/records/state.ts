import { AGENT_NAMES, type AgentName } from "@agent-checkpoint/transcript";
import type { QueryConnection } from "../sqlite/connection.ts";
import type { SessionTable } from "../sqlite/database.ts";
import { StoreError } from "../store-error.ts";

/** What a key holds: the row of a session as the table has it, and the version that it is known by. */
export interface StateRow {
  readonly value: StateColumns;
  /** The hash of the row: it changes with everything in it. */
  readonly version: string;
}

export type StateColumns = Readonly<Record<string, string | number | null>>;

/** The keys that begin with a prefix: `session/<agent>/<id>` for every session. */
export function listStateKeys({ queries, prepareQuery }: QueryConnection, prefix: string): string[] {
  const rows = prepareQuery(queries.selectFrom("sessions").select(["agent", "session_id"]))();
  return rows
    .map(({ agent, session_id }) => `${SESSION}${agent}/${session_id}`)
    .filter((key) => key.startsWith(prefix))
    .sort();
}

/** What a key holds; null where there is no such row. */
export function getState(connection: QueryConnection, key: string): StateRow | null {
  return prepareGetState(connection, key)();
}

/**
 * Sets a key, or deletes it where the value is null, if it still has the version that is expected: null stands for a
 * key that is absent, undefined for any.
 */
export function setState(
  connection: QueryConnection,
  key: string,
  value: StateColumns | null,
  expected: string | null | undefined,
): "done" | "conflict" {
  const { queries, prepareChange, immediately } = connection;
  const { agent, sessionId } = sessionOf(key);
  const find = prepareGetState(connection, key);
  const remove = prepareChange(
    queries.deleteFrom("sessions").where("agent", "=", agent).where("session_id", "=", sessionId),
  );
  const insert = value === null ? null : prepareChange(queries.insertInto("sessions").values(rowOf(key, value)));
  return immediately(() => {
    if (expected !== undefined && (find()?.version ?? null) !== expected) return "conflict";
    remove();
    insert?.();
    return "done";
  });
}

const SESSION = "session/";

function prepareGetState({ queries, prepareQuery }: QueryConnection, key: string): () => StateRow | null {
  const { agent, sessionId } = sessionOf(key);
  const find = prepareQuery(
    queries.selectFrom("sessions").selectAll().where("agent", "=", agent).where("session_id", "=", sessionId),
  );
  return () => {
    const [row] = find();
    if (row === undefined) return null;
    const value: StateColumns = { ...row };
    return { value, version: versionOf(value) };
  };
}

/** Loads `node:crypto` here and not with the module: that takes several milliseconds, and no hook asks for a version. */
function versionOf(value: StateColumns): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function sessionOf(key: string): { readonly agent: AgentName; readonly sessionId: string } {
  const [, name, sessionId] = /^session\/([^/]+)\/(.+)$/s.exec(key) ?? [];
  const agent = AGENT_NAMES.find((one) => one === name);
  if (agent === undefined || sessionId === undefined)
    throw new StoreError("unusable", `there is no key \`${key}\`: keys are session/<agent>/<id>`);
  return { agent, sessionId };
}

/** A value as the row it came from; one of another shape is refused, and SQLite refuses the wrong types. */
function rowOf(key: string, value: StateColumns): SessionTable & { touched_files: string } {
  const { agent, sessionId } = sessionOf(key);
  const names = Object.keys(value);
  if (names.some((name) => !COLUMNS.has(name)) || value["agent"] !== agent || value["session_id"] !== sessionId)
    throw new StoreError("unusable", `\`${key}\` takes the row of that session`);
  // The table is strict: a value of a wrong type does not get in.
  return value as StateColumns & SessionTable & { touched_files: string };
}

const COLUMNS: ReadonlySet<string> = new Set<keyof SessionTable>([
  "agent",
  "session_id",
  "project_path",
  "transcript_path",
  "working_slug",
  "first_seen_at",
  "last_seen_at",
  "last_message_sent_at",
  "last_checkpoint_at",
  "current_turn",
  "last_blocked_turn",
  "last_stop_at",
  "touched_files",
  "read_up_to",
  "baseline",
  "route",
  "context_mark",
]);
