import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const root = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-hook-"));
// Tests of one file run side by side, so their folders go together at its end.
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 9 }), 60_000);

/** A new folder that is gone when the test file has ended. */
export function scratchFolder(): string {
  return mkdtempSync(join(root, "test-"));
}
