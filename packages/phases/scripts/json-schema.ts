import { toJsonSchema } from "@valibot/to-json-schema";
import { CheckpointSchema } from "../src/document/schema.ts";

/** The JSON Schema that the package ships. */
export const JSON_SCHEMA: unknown = {
  ...toJsonSchema(CheckpointSchema, { errorMode: "ignore" }),
  $id: "https://unpkg.com/@agent-checkpoint/phases/schema/checkpoint.schema.json",
  title: "UnifiedCheckpoint",
  description: "What is known of one run of a command: a file of .claude/state.",
};
