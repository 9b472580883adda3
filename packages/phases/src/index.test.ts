import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { JSON_SCHEMA } from "../scripts/json-schema.ts";
import { COMMANDS } from "./commands.ts";
import * as api from "./index.ts";
import { aProject } from "./testing/a-project.ts";

test("the package offers these names", () => {
  expect(Object.keys(api).sort()).toEqual([
    "COMMANDS",
    "COMMAND_NAMES",
    "CheckpointSchema",
    "PHASE_STATUSES",
    "completeCheckpoint",
    "createCheckpoint",
    "describeHead",
    "findResumePoint",
    "getLastError",
    "getResumePoint",
    "getStateDir",
    "isShipAllowed",
    "loadCheckpoint",
    "logError",
    "openPhases",
    "saveCheckpoint",
    "setLogError",
    "updatePhase",
    "usualPhases",
  ]);
});

test("every command has its plan, and only `ship` a gate", () => {
  expect(COMMANDS.map(({ name }) => name)).toEqual(api.COMMAND_NAMES);
  expect(COMMANDS.filter(({ hasGate }) => hasGate).map(({ name }) => name)).toEqual(["ship"]);
});

test("the shipped JSON Schema is the one that the schema gives", () => {
  const shipped: unknown = JSON.parse(
    readFileSync(new URL("../schema/checkpoint.schema.json", import.meta.url), "utf8"),
  );
  expect(shipped).toEqual(JSON.parse(JSON.stringify(JSON_SCHEMA)));
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
