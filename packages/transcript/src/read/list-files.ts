import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The names in a folder; none where it cannot be read. */
export const listFolder = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** The files below a folder whose paths fit, down to a depth. */
export const listFiles = (folder: string, { name, depth }: { name: RegExp; depth: number }): readonly string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth > 0 ? listFiles(path, { name, depth: depth - 1 }) : [];
      return name.test(entry.name) ? [path] : [];
    });
  } catch {
    return [];
  }
};

/** Some file systems keep times to two seconds. */
const COARSEST_TIME_MS = 2000;

/** Whether a file was written since a moment; false where it cannot be told. */
export const isWrittenSince = (path: string, moment: Date): boolean => {
  try {
    return statSync(path).mtimeMs >= moment.getTime() - COARSEST_TIME_MS;
  } catch {
    return false;
  }
};

/** Whether a path is a regular file. */
export const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};
