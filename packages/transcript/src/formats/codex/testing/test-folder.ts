import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of a test's own, which is gone when its block ends. */
export interface TestFolder extends Disposable {
  readonly at: (...names: readonly string[]) => string;
}

/** Makes an empty folder. */
export const newFolder = (): TestFolder => {
  const path = mkdtempSync(join(tmpdir(), "rollouts-"));
  return {
    at: (...names) => join(path, ...names),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
};
