import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { sleep } from "../lock/sleep.ts";
import { errorCode } from "./error-code.ts";
import { uniqueToken } from "./unique-token.ts";

/** Replaces a file so that everybody sees the old text or the new one, also after a crash; the last word is `assertAllowed`'s. */
export function writeAtomically(path: string, text: string, assertAllowed: () => void): void {
  const draft = `${path}.${uniqueToken()}.tmp`;
  try {
    writeAndSync(draft, text);
    assertAllowed();
    rename(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

function writeAndSync(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Windows refuses while somebody has the file open; it is never written over in place instead. */
function rename(from: string, to: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return renameSync(from, to);
    } catch (error) {
      const isBusy = process.platform === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(errorCode(error) ?? "");
      if (!isBusy || attempt === 10) throw error;
      sleep(attempt * 10);
    }
  }
}

/** Makes the new name last; a system that cannot sync a folder keeps it in its own time. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // The file is in place; only a loss of power in the next moment could still bring the old one back.
  }
}
