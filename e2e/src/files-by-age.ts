import { globSync, statSync } from "node:fs";
import { join } from "node:path";

/** The files that a pattern finds below a folder, the one made first in front. */
export function filesByAge(folder: string, pattern: string): readonly string[] {
  return globSync(pattern, { cwd: folder })
    .map((name) => join(folder, name))
    .map((path) => ({ path, madeAt: statSync(path).birthtimeMs }))
    .sort((a, b) => a.madeAt - b.madeAt)
    .map(({ path }) => path);
}
