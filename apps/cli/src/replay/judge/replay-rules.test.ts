import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createFactsFinder } from "./replay-rules.ts";

const root = mkdtempSync(join(tmpdir(), "lent-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a lent folder of which git knows nothing has the tests that lie in it", async () => {
  mkdirSync(join(root, "src"));
  for (const file of ["go.mod", "src/a.go", "src/a_test.go"]) writeFileSync(join(root, file), "");
  const facts = await createFactsFinder({ lentRoot: root })("/nowhere/on/this/machine");
  expect(facts?.testFolders).toEqual({ go: ["src"] });
});
