import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new folder that is gone when the test has ended. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-hook-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
