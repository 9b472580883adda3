import { redact, redactJson } from "@agent-checkpoint/redaction";
import type { Compilable } from "kysely";
import { immediately, type PreparedStatement, type SqliteFile } from "../sqlite/node-sqlite.ts";
import type { Queries } from "./schema.ts";
import { STATEMENTS } from "./statements.generated.ts";

export type QueryName = keyof Queries;
type ParametersOf<Name extends QueryName> = Parameters<Queries[Name]>[1];
type ResultOf<Name extends QueryName> = ReturnType<Queries[Name]> extends Compilable<infer Row> ? Row : never;

/** An open database and its queries, by name; they run synchronously. */
export interface Connection {
  readonly now: () => Date;
  /** Runs a query and returns its rows. */
  rows<Name extends QueryName>(name: Name, parameters: ParametersOf<Name>): ResultOf<Name>[];
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
      prepare(name).rows(valuesOf(name, parameters)) as ResultOf<Name>[],
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
  // In JSON, an escape may hide the end or the beginning of a secret.
  const isWorthReading = /^[[{]/.test(parameter) && (clean !== parameter || parameter.includes("\\"));
  if (!isWorthReading) return clean;
  try {
    return JSON.stringify(redactJson(JSON.parse(parameter)));
  } catch {
    return clean;
  }
}
