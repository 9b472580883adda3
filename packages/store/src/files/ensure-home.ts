import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { StoreError } from "../store-error.ts";

/** Makes the home, readable by its owner only; a folder that another user laid out in the temporary folder is refused. */
export function ensureHome(home: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (dirname(home) !== tmpdir() || process.getuid === undefined) return;
  const stats = lstatSync(home);
  if (!stats.isDirectory() || stats.uid !== process.getuid())
    throw new StoreError(
      "cannot-create",
      `${home} belongs to another user; set CHECKPOINT_HOME to a folder of your own`,
    );
}
