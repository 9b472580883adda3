import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { errorCode } from "../error-code.ts";

/** What is at a path, where a folder for its owner only is made if there is nothing; somebody else may make it in the same moment. */
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
