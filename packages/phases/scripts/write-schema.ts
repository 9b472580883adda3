// Writes the JSON Schema of a checkpoint from the schema that checks it.
import { writeFileSync } from "node:fs";
import { JSON_SCHEMA } from "./json-schema.ts";

writeFileSync(
  new URL("../schema/checkpoint.schema.json", import.meta.url),
  `${JSON.stringify(JSON_SCHEMA, null, 2)}\n`,
);
