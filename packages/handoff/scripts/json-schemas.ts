import { toJsonSchema } from "@valibot/to-json-schema";
import { IntegrationsSchema } from "../src/integrations/schema.ts";
import { HandoffRequestSchema, HandoffResponseSchema } from "../src/protocol/schema.ts";

const PLACE = "https://unpkg.com/@agent-checkpoint/handoff/schema";
const ROWS = [
  {
    name: "handoff-request.schema.json",
    schema: HandoffRequestSchema,
    description: "What an orchestrator hands to a sub-agent.",
  },
  { name: "handoff-response.schema.json", schema: HandoffResponseSchema, description: "What a sub-agent hands back." },
  { name: "integrations.schema.json", schema: IntegrationsSchema, description: "The integrations of a project." },
];

/** The JSON Schemas that the package ships, by the names of their files. */
export const JSON_SCHEMAS: Readonly<Record<string, unknown>> = Object.fromEntries(
  ROWS.map(({ name, schema, description }) => [
    name,
    { ...toJsonSchema(schema, { errorMode: "ignore" }), $id: `${PLACE}/${name}`, description },
  ]),
);
