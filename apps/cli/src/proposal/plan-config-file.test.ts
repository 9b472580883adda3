import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "@agent-checkpoint/categories";
import { afterAll, expect, test } from "vitest";
import { planConfigFile } from "./plan-config-file.ts";
import { loadCase, writeFiles } from "./testing/stack-cases.ts";

const scratch = mkdtempSync(join(tmpdir(), "checkpoint-plan-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The plan for the repository of a case with this config in it. */
function planWith(config: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(scratch, "repo-"));
  execFileSync("git", ["init", "-q", root]);
  writeFiles(root, { ...loadCase("python-uv-alembic").files, ...config });
  return planConfigFile(root);
}

test("without a config the proposal is to be written", async () => {
  expect(await planWith({})).toMatchObject({ status: "write", proposal: { preset: "generic" } });
});

test("a config that exists is kept, and the rows it lacks are shown as text that can be put into it", async () => {
  const own = `{ "preset": "generic", "actions": [{ "id": "tests", "steps": ["make check"] }] } // mine`;
  const plan = await planWith({ "checkpoint.config.json": own });
  expect(plan).toMatchObject({ status: "keep", problems: [] });
  expect(readFileSync(plan.path, "utf8")).toBe(own);
  const missing = plan.status === "keep" ? parseConfig(`{${plan.missing}}`, "missing") : null;
  expect(
    missing?.ok === true &&
      [missing.config.actions, missing.config.categories].map((rows) => rows?.map(({ id }) => id)),
  ).toEqual([["migrate"], ["migrations"]]);
});

test("a config with every row lacks nothing", async () => {
  const { proposal } = await planWith({});
  expect(await planWith({ "checkpoint.config.json": proposal.text })).toMatchObject({ status: "keep", missing: "" });
});

test("a config that cannot be used is kept, with what is wrong", async () => {
  expect(await planWith({ "checkpoint.config.json": `{ "scope": 3 }` })).toMatchObject({
    status: "keep",
    problems: [{ file: "checkpoint.config.json", key: "scope", found: "3" }],
    missing: "",
  });
  expect(await planWith({ "checkpoint.config.json/x": "" })).toMatchObject({
    status: "keep",
    problems: [{ found: "EISDIR" }],
  });
});
