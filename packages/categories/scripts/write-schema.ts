// Writes the JSON Schema of the config file from the schema that checks it.
import { writeFileSync } from "node:fs";
import { toJsonSchema } from "@valibot/to-json-schema";
import { configSchema } from "../src/config/schema.ts";

const schema = {
  ...toJsonSchema(configSchema(), { errorMode: "ignore" }),
  $id: "https://unpkg.com/@agent-checkpoint/categories/schema/checkpoint.config.schema.json",
  title: "checkpoint.config.json",
  description: "What agent-checkpoint asks for in this repository.",
};
const target = process.argv[2] ?? new URL("../schema/checkpoint.config.schema.json", import.meta.url);
writeFileSync(target, `${JSON.stringify(schema, null, 2)}\n`);
