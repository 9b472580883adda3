import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type BytePath, toBytePath } from "../paths/byte-path.ts";
import { isInside } from "../paths/is-inside.ts";

/** Where a file lies below a root, whatever links lead there; null where it lies elsewhere. */
export function placeIn(root: string, file: string, cwd: string): BytePath | null {
  const real = realFolder(resolve(cwd, file));
  return isInside(real, root) ? toBytePath(relative(root, real)) : null;
}

/** A path with the links in the folders above it resolved, as far as they exist; the file itself may be a link. */
function realFolder(path: string): string {
  const folder = dirname(path);
  if (folder === path) return path;
  try {
    return join(realpathSync(folder), basename(path));
  } catch {
    return join(realFolder(folder), basename(path));
  }
}
