import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const scratch = mkdtempSync(join(tmpdir(), "checkpoint-stack-docs-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test("docs/stacks.md is what the tables say", () => {
  const fresh = join(scratch, "stacks.md");
  const script = fileURLToPath(new URL("../scripts/write-stack-docs.ts", import.meta.url));
  execFileSync(process.execPath, ["--conditions=@agent-checkpoint/source", script, fresh]);
  expect(readFileSync(new URL("../../../docs/stacks.md", import.meta.url), "utf8")).toBe(readFileSync(fresh, "utf8"));
});
