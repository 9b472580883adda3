import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new folder that is gone after the test; a process that settles outcomes may still write into it, so that is tried again. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 9 }));
  return folder;
}
