import { accessSync, constants } from "node:fs";
import { errorCode } from "../error-code.ts";
import { createLooker } from "../files/look-at.ts";
import type { Change } from "../kinds/kind.ts";
import { diskPath, encodePath, parentOf } from "../paths/byte-path.ts";
import { SafetyError } from "../trouble.ts";

/** Refuses a restore through a link or into a folder that cannot be written, before anything is. */
export function refuseUnreachable(changes: readonly Change[], root: string): void {
  const { isFolder, look } = createLooker(root);
  const comes = new Set(changes.filter(({ to }) => to.type === "directory").map(({ to }) => to.path));
  for (const folder of new Set(changes.map(({ to }) => parentOf(to.path)))) {
    for (let current = folder; ; current = parentOf(current)) {
      if (comes.has(current)) continue;
      if (isFolder(current)) {
        const path = diskPath(root, current);
        if (isReadOnly(path))
          throw new SafetyError(
            "not-writable",
            `\`${encodePath(current) || root}\` cannot be written to.`,
            "Nothing was changed.",
          );
        break;
      }
      if (look(current) !== null) {
        throw new SafetyError(
          "in-the-way",
          `\`${encodePath(current)}\` is no folder of its own any more.`,
          "Move it away and restore again.",
        );
      }
    }
  }
}

/** Whether the file system refuses writing; permissions alone can be lent and given back by the owner. */
function isReadOnly(path: string | Buffer): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return errorCode(error) === "EROFS";
  }
}
