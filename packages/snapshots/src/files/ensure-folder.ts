import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { errorCode } from "@agent-checkpoint/files";

/** What is at a path; creates a private folder if there is nothing. Another process may create it at the same time. */
export function ensureFolder(path: string): Stats {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined) return found;
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  return lstatSync(path);
}
