import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { JSON_SCHEMAS } from "../scripts/json-schemas.ts";
import * as api from "./index.ts";

test("the package offers these names", () => {
  expect(Object.keys(api).sort()).toEqual([
    "CheckpointError",
    "DEFAULT_INTEGRATIONS",
    "DISABLED_INTEGRATIONS",
    "HandoffRequestSchema",
    "HandoffResponseSchema",
    "INTEGRATIONS_FILE",
    "IntegrationsSchema",
    "MODES",
    "SUMMARY_LIMIT",
    "countTokens",
    "createReporter",
    "describeIssues",
    "estimateTokens",
    "findProjectRoot",
    "getLastError",
    "isRecord",
    "isTooDeep",
    "loadIntegrations",
    "logError",
    "parseIntegrations",
    "plainCopy",
    "setLogError",
    "sharedReporter",
    "validateContextSummary",
    "validateHandoffRequest",
    "validateHandoffResponse",
  ]);
});

test.for(Object.keys(JSON_SCHEMAS))("the shipped %s is the one that the schema gives", (name) => {
  const shipped: unknown = JSON.parse(readFileSync(new URL(`../schema/${name}`, import.meta.url), "utf8"));
  expect(shipped).toEqual(JSON.parse(JSON.stringify(JSON_SCHEMAS[name])));
});
