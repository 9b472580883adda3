import { toJsonSchema } from "@valibot/to-json-schema";
import { CheckpointSchema } from "../src/document/schema.ts";
import { IntegrationsSchema } from "../src/handoff/integrations.ts";
import { HandoffRequestSchema, HandoffResponseSchema } from "../src/handoff/messages.ts";

const PLACE = "https://unpkg.com/@agent-checkpoint/phases/schema";
const ROWS = [
  {
    name: "checkpoint.schema.json",
    schema: CheckpointSchema,
    title: "UnifiedCheckpoint",
    description: "What is known of one run of a command: a file of .claude/state.",
  },
  {
    name: "handoff-request.schema.json",
    schema: HandoffRequestSchema,
    title: "HandoffRequest",
    description: "What an orchestrator hands to a sub-agent.",
  },
  {
    name: "handoff-response.schema.json",
    schema: HandoffResponseSchema,
    title: "HandoffResponse",
    description: "What a sub-agent hands back.",
  },
  {
    name: "integrations.schema.json",
    schema: IntegrationsSchema,
    title: "Integrations",
    description: "The integrations of a project.",
  },
];

/** The JSON Schemas that the package ships, by the names of their files. */
export const JSON_SCHEMAS: Readonly<Record<string, unknown>> = Object.fromEntries(
  ROWS.map(({ name, schema, title, description }) => [
    name,
    { ...toJsonSchema(schema, { errorMode: "ignore" }), $id: `${PLACE}/${name}`, title, description },
  ]),
);
