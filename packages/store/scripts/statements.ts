import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { type Database, QUERIES, type Queries } from "../src/tables/schema.ts";

/** A parameter of a query, by its name. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Parameters by name become `?`; what a query says itself becomes part of its text. */
class StatementCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value instanceof Parameter) super.appendValue(value);
    else this.appendImmediateValue(value);
  }
}

type Query = Queries[keyof Queries];

/** The module with every query of the store as SQL text, and the names of its parameters in order. */
export function renderStatements(): string {
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new StatementCompiler(),
    },
  });
  const rows = QUERIES.flatMap(Object.entries<Query>).map(([name, query]) => {
    const { sql, parameters } = query(db, namedParameters()).compile();
    const names = parameters.map((parameter) => (parameter as Parameter).name);
    return `  ${name}: { sql: \`${sql}\`, parameters: ${JSON.stringify(names)} },\n`;
  });
  return [
    "// Written by `node packages/store/scripts/write-statements.ts` from the queries of the tables; do not edit.\n",
    'import type { QueryName } from "./connection.ts";\n\n',
    "/** Every query of the store as it was compiled: its text, and the names of its parameters in order. */\n",
    "export const STATEMENTS: Readonly<\n  Record<QueryName, { readonly sql: string; readonly parameters: readonly string[] }>\n> = {\n",
    ...rows,
    "};\n",
  ].join("");
}

/** An object that has every parameter: whatever a query asks for is the parameter of that name. */
function namedParameters(): never {
  return new Proxy({}, { get: (_, name) => new Parameter(String(name)) }) as never;
}
