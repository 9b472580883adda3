import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { JSON_SCHEMAS } from "../scripts/json-schemas.ts";
import { COMMANDS } from "./commands.ts";
import * as api from "./index.ts";
import { aProject } from "./testing/a-project.ts";

test("the package offers these names", () => {
  expect(Object.keys(api).sort()).toEqual([
    "COMMANDS",
    "COMMAND_NAMES",
    "CheckpointError",
    "CheckpointSchema",
    "DEFAULT_INTEGRATIONS",
    "DISABLED_INTEGRATIONS",
    "HandoffRequestSchema",
    "HandoffResponseSchema",
    "INTEGRATIONS_FILE",
    "IntegrationsSchema",
    "MODES",
    "PHASE_STATUSES",
    "SUMMARY_LIMIT",
    "completeCheckpoint",
    "countTokens",
    "createCheckpoint",
    "createReporter",
    "describeHead",
    "estimateTokens",
    "findProjectRoot",
    "findResumePoint",
    "getLastError",
    "getResumePoint",
    "getStateDir",
    "isShipAllowed",
    "loadCheckpoint",
    "loadIntegrations",
    "logError",
    "openPhases",
    "parseIntegrations",
    "saveCheckpoint",
    "setLogError",
    "updatePhase",
    "usualPhases",
    "validateContextSummary",
    "validateHandoffRequest",
    "validateHandoffResponse",
  ]);
});

test("every command has its plan, and only `ship` a gate", () => {
  expect(COMMANDS.map(({ name }) => name)).toEqual(api.COMMAND_NAMES);
  expect(COMMANDS.filter(({ hasGate }) => hasGate).map(({ name }) => name)).toEqual(["ship"]);
});

test.for(Object.keys(JSON_SCHEMAS))("the shipped %s is the one that the schema gives", (name) => {
  const shipped: unknown = JSON.parse(readFileSync(new URL(`../schema/${name}`, import.meta.url), "utf8"));
  expect(shipped).toEqual(JSON.parse(JSON.stringify(JSON_SCHEMAS[name])));
});

const BUILT = fileURLToPath(new URL("../dist/index.mjs", import.meta.url));
const ways = [
  { way: "require", type: "commonjs", load: (path: string) => `require(${JSON.stringify(path)})` },
  { way: "import", type: "module", load: (path: string) => `await import(${JSON.stringify(path)})` },
];
test.for(ways)("the built package works by $way, for the project of the current folder", ({ type, load }) => {
  if (!existsSync(BUILT)) throw new Error("build first: npm run build");
  const project = aProject();
  const cwd = join(project.root, "deep/folder");
  mkdirSync(cwd, { recursive: true });
  const program = `
    const { updatePhase, getResumePoint, getStateDir, loadCheckpoint, getLastError } = ${load(BUILT)};
    console.log(JSON.stringify([
      updatePhase("implement", "build", { status: "in_progress" }, "a/b"),
      getResumePoint("implement", "a/b"),
      getStateDir(),
      loadCheckpoint("banana"),
      getLastError().code,
    ]));`;
  const args = ["--no-warnings", `--input-type=${type}`, "--eval", program];
  const output = execFileSync(process.execPath, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  expect(JSON.parse(output)).toEqual([true, { phase: "build", summary: null }, project.stateDir, null, "bad-name"]);
  expect(project.names()).toEqual(["implement-a%2Fb.json"]);
});
