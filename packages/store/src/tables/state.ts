import { AGENT_NAMES } from "@agent-checkpoint/transcript/agent-names";
import { StoreError } from "../store-error.ts";
import type { Connection } from "./connection.ts";
import { SESSION_COLUMNS, type SessionKey, type SessionTable } from "./sessions.ts";

/** The value of a key: the row of a session as the table has it, and its version. */
export interface StateRow {
  readonly key: string;
  readonly value: StateColumns;
  /** The hash of the row: it changes with everything in it. */
  readonly version: string;
}

export type StateColumns = Readonly<Record<string, string | number | null>>;

/** The rows whose keys begin with a prefix, by key: `session/<agent>/<id>` for every session. */
export function listState(connection: Connection, prefix: string): StateRow[] {
  return connection
    .rows("listSessions", { agent: null })
    .map(toState)
    .filter(({ key }) => key.startsWith(prefix))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

/**
 * Sets a key, or deletes it if the value is null, provided that it still has the expected version: null stands for an
 * absent key, undefined for any.
 */
export function setState(
  connection: Connection,
  key: string,
  value: StateColumns | null,
  expected: string | null | undefined,
): "done" | "conflict" {
  const session = sessionOf(key);
  const row = value === null ? null : rowOf(session, value);
  return connection.immediately(() => {
    const [known] = connection.rows("findSession", session);
    const version = known === undefined ? null : toState(known).version;
    if (expected !== undefined && version !== expected) return "conflict";
    connection.run("deleteSession", session);
    if (row !== null) connection.run("putSession", row);
    return "done";
  });
}

function toState(row: SessionTable): StateRow {
  const value: StateColumns = { ...row };
  return { key: `session/${row.agent}/${row.sessionId}`, value, version: versionOf(value) };
}

/** `node:crypto` is loaded here because no hook asks for a version. */
function versionOf(value: StateColumns): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function sessionOf(key: string): SessionKey {
  const [, name, sessionId] = /^session\/([^/]+)\/(.+)$/s.exec(key) ?? [];
  const agent = AGENT_NAMES.find((one) => one === name);
  if (agent === undefined || sessionId === undefined)
    throw new StoreError("unusable", `there is no key \`${key}\`: keys are session/<agent>/<id>`);
  return { agent, sessionId };
}

/** A value as the row it came from; a value of another shape is refused, and SQLite refuses wrong types. */
function rowOf({ agent, sessionId }: SessionKey, value: StateColumns): SessionTable {
  const isColumn = (name: string) => SESSION_COLUMNS.some((column) => column === name);
  if (!Object.keys(value).every(isColumn) || value["agent"] !== agent || value["sessionId"] !== sessionId)
    throw new StoreError("unusable", `session/${agent}/${sessionId} takes the row of that session`);
  // The table is strict: a value of a wrong type does not get in.
  return value as unknown as SessionTable;
}
