// Compiles the queries of the tables to SQL text, so that no program loads the query builder.
import { writeFileSync } from "node:fs";
import { renderStatements } from "./statements.ts";

writeFileSync(process.argv[2] ?? new URL("../src/tables/statements.generated.ts", import.meta.url), renderStatements());
