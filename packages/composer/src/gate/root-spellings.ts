import { realpathSync } from "node:fs";

/** A repository's root as it was named, and as it is called without links. */
export function rootSpellings(root: string): readonly string[] {
  try {
    return [...new Set([root, realpathSync(root)])];
  } catch {
    return [root];
  }
}
