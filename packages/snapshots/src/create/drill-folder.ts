import { mkdirSync, mkdtempSync, statfsSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "../manifest/entry.ts";

/** A new folder for a drill: in memory where a small one fits easily, else beside the store, where there is as much room as it takes. */
export function createDrillFolder(entries: readonly Entry[], beside: string): string {
  const bytes = entries.reduce((sum, { size }) => sum + size + 4096, 0);
  if (bytes <= SMALL && hasRoomInMemory(bytes)) return mkdtempSync(join(MEMORY, "checkpoint-drill-"));
  mkdirSync(beside, { mode: 0o700 });
  return beside;
}

const MEMORY = "/dev/shm";
const SMALL = 64 * 1024 * 1024;

function hasRoomInMemory(bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return process.platform === "linux" && bavail * bsize > bytes * 4;
  } catch {
    return false;
  }
}
