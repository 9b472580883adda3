import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const OLD_MS = 60_000;

/** Deletes what processes that died in the middle of a save have left; a save takes milliseconds. */
export function sweepDrafts(folder: string): void {
  try {
    sweep(folder);
  } catch {
    // The save is done; what is left can wait for the next one.
  }
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => /\.json\.[0-9a-f]{18}\.tmp$/.test(each))) {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > OLD_MS) rmSync(path, { recursive: true, force: true });
  }
}
