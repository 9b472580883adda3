import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderStatements } from "../../scripts/statements.ts";
import { columnNames } from "./rows.ts";

test("the compiled statements are those of the queries; else run packages/store/scripts/write-statements.ts", () => {
  expect(readFileSync(new URL("./statements.generated.ts", import.meta.url), "utf8")).toBe(renderStatements());
});

const tables = [
  {
    sql: "CREATE TABLE t (\n    id INTEGER PRIMARY KEY,\n    a TEXT NOT NULL,\n    b REAL\n  ) STRICT;",
    names: ["a", "b"],
  },
  { sql: "CREATE TABLE t (\n    a TEXT\n  ) STRICT;\n  CREATE TABLE u (\n    b TEXT\n  ) STRICT;", names: ["a"] },
  { sql: "ALTER TABLE t ADD COLUMN c TEXT NOT NULL DEFAULT '[]'", names: ["c"] },
];
test.for(tables)("the columns that a row is inserted with: $names", ({ sql, names }) => {
  expect(columnNames(sql)).toEqual(names);
});
