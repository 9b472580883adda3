// Writes the JSON Schemas from the schemas that check phase files, messages and the config.
import { writeFileSync } from "node:fs";
import { JSON_SCHEMAS } from "./json-schemas.ts";

for (const [name, schema] of Object.entries(JSON_SCHEMAS)) {
  writeFileSync(new URL(`../schema/${name}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}
