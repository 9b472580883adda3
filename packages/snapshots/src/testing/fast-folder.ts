import { accessSync, constants, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder, in memory where the system has such a place: a test with many runs would wait for the disk most of its time. */
export function fastFolder(prefix: string): string {
  try {
    accessSync("/dev/shm", constants.W_OK);
    return mkdtempSync(join("/dev/shm", prefix));
  } catch {
    return mkdtempSync(join(realpathSync(tmpdir()), prefix));
  }
}
