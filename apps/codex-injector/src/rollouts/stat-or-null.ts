import { type Stats, statSync } from "node:fs";

/** What the file system knows of a path; null where it is missing or closed to us. */
export const statOrNull = (path: string): Stats | null => {
  try {
    return statSync(path);
  } catch {
    return null;
  }
};
