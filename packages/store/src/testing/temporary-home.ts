import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** The path of a home that does not exist yet; it is gone after the test. */
export function temporaryHome(): string {
  const folder = mkdtempSync(join(tmpdir(), "checkpoint-store-"));
  onTestFinished(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  });
  return join(folder, "home");
}
