import { redact, redactJson } from "@agent-checkpoint/redaction";
import type { Compilable } from "kysely";
import { immediately, type PreparedStatement, type SqliteFile } from "../sqlite/node-sqlite.ts";
import type { Queries } from "./schema.ts";
import { STATEMENTS } from "./statements.generated.ts";

export type QueryName = keyof Queries;
type ParametersOf<Name extends QueryName> = Parameters<Queries[Name]>[1];
type RowOf<Name extends QueryName> = ReturnType<Queries[Name]> extends Compilable<infer Row> ? Row : never;

/** An open database and its queries, by name; they run synchronously. */
export interface Connection {
  readonly now: () => Date;
  /** Runs a query and returns its rows. */
  rows<Name extends QueryName>(name: Name, parameters: ParametersOf<Name>): RowOf<Name>[];
  /** Runs a statement and returns the number of rows it changed; values that are also in `known` are not redacted again. */
  run<Name extends QueryName>(name: Name, parameters: ParametersOf<Name>, known?: object): number;
  /** Runs the work in one transaction that holds the write lock from its start. */
  readonly immediately: <Result>(work: () => Result) => Result;
  /** Returns free pages at the end of the file to the system, up to this many. */
  readonly shrink: (maxPages: number) => void;
}

/** Runs the compiled queries on an open database; secrets are removed here, in every column. */
export function connect(sqlite: SqliteFile, now: () => Date): Connection {
  const prepared = new Map<QueryName, PreparedStatement>();

  function prepare(name: QueryName): PreparedStatement {
    const statement = prepared.get(name) ?? sqlite.prepare(STATEMENTS[name].sql);
    prepared.set(name, statement);
    return statement;
  }

  return {
    now,
    rows: <Name extends QueryName>(name: Name, parameters: ParametersOf<Name>) =>
      prepare(name).rows(valuesOf(name, parameters)) as RowOf<Name>[],
    run: (name, parameters, known) => prepare(name).change(valuesOf(name, parameters, known)),
    immediately: (work) => immediately(sqlite, work),
    shrink: (maxPages) => sqlite.exec(`PRAGMA incremental_vacuum(${maxPages})`),
  };
}

function valuesOf(name: QueryName, parameters: object, known: object = {}): unknown[] {
  const given = parameters as Readonly<Record<string, unknown>>;
  const stored = known as Readonly<Record<string, unknown>>;
  return STATEMENTS[name].parameters.map((parameter) => {
    const value = given[parameter] ?? null;
    return value === stored[parameter] ? value : withoutSecrets(value);
  });
}

/**
 * A parameter without secrets. Texts that are searched for are redacted as well, so that they match what was written.
 * A text of JSON stays valid JSON.
 */
function withoutSecrets(parameter: unknown): unknown {
  if (typeof parameter !== "string") return parameter;
  const clean = redact(parameter);
  // In JSON, an escape may hide a secret's end, or its beginning.
  const isWorthReading = /^[[{]/.test(parameter) && (clean !== parameter || parameter.includes("\\"));
  if (!isWorthReading) return clean;
  try {
    return JSON.stringify(redactJson(JSON.parse(parameter)));
  } catch {
    return clean;
  }
}

/** The columns of the first table that each statement creates, or that it adds to one; without a number that SQLite assigns. */
export function columnNames(...statements: readonly string[]): readonly string[] {
  const tables = statements.map((statement) => statement.split(") STRICT")[0] ?? "");
  const columns = /(?:^ +|ADD COLUMN )([a-z_]+) (?:TEXT|REAL|INTEGER(?! PRIMARY))/gm;
  return tables.flatMap((table) => [...table.matchAll(columns)].map(([, name = ""]) => name));
}

/** The values of a row, for a query that inserts it. */
export function columnsOf<Row extends object>(names: readonly string[], row: Row): Row {
  return Object.fromEntries(names.map((name) => [name, row[name as keyof Row]])) as Row;
}

/** The list of strings in a JSON column; empty if it is malformed. */
export function parseStrings(text: string): string[] {
  const value = parseJson(text);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The record of strings in a JSON column; null if there is none. */
export function parseRecord(text: string | null): Record<string, string> | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The value of a JSON column; null if it is empty or malformed. */
export function parseJson(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a JSON value has fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

export function stringOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** The time in a column; null if there is none. */
export function dateOrNull(milliseconds: unknown): Date | null {
  return typeof milliseconds === "number" ? new Date(milliseconds) : null;
}
