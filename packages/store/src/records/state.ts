import type { AgentName } from "@agent-checkpoint/transcript";
import type { QueryConnection } from "../sqlite/connection.ts";
import type { SessionTable } from "../sqlite/database.ts";
import { StoreError } from "../store-error.ts";

/** What a key holds: the row of a session as the table has it, and the version that it is known by. */
export interface StateRow {
  readonly key: string;
  readonly value: StateColumns;
  /** The hash of the row: it changes with everything in it. */
  readonly version: string;
}

export type StateColumns = Readonly<Record<string, string | number | null>>;

/** The rows whose keys begin with a prefix, by key: `session/<agent>/<id>` for every session. */
export function listState({ queries, prepareQuery }: QueryConnection, prefix: string): StateRow[] {
  return prepareQuery(queries.selectFrom("sessions").selectAll())()
    .map((row) => toState(`${SESSION}${row.agent}/${row.session_id}`, { ...row }))
    .filter(({ key }) => key.startsWith(prefix))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
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
    return row === undefined ? null : toState(key, { ...row });
  };
}

function toState(key: string, value: StateColumns): StateRow {
  return { key, value, version: versionOf(value) };
}

/** Loads `node:crypto` here and not with the module: that takes several milliseconds, and no hook asks for a version. */
function versionOf(value: StateColumns): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function sessionOf(key: string): { readonly agent: AgentName; readonly sessionId: string } {
  const [, agent, sessionId] = /^session\/(claude|gemini|codex)\/(.+)$/s.exec(key) ?? [];
  if (agent === undefined || sessionId === undefined)
    throw new StoreError("unusable", `there is no key \`${key}\`: keys are session/<agent>/<id>`);
  return { agent: agent as AgentName, sessionId };
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
