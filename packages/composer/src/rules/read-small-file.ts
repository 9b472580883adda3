import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";

/** The text of a small file, or why there is none. */
export type SmallFile =
  | { readonly status: "read"; readonly text: string }
  | { readonly status: "missing" }
  | { readonly status: "refused"; readonly found: string };

const MAX_BYTES = 1024 * 1024;

/** A file of a repository; a link that leads out of the repository is not followed, wherever on the way it stands. */
export function readProjectFile(root: string, file: string): SmallFile {
  return reading(() => {
    const path = join(root, file);
    // A file at the root that is no link itself cannot lead anywhere.
    if (!file.includes("/") && !lstatSync(path).isSymbolicLink()) return readRegular(path);
    const real = realpathSync(path);
    return real.startsWith(`${realpathSync(root)}${sep}`)
      ? readRegular(real)
      : { status: "refused", found: "a link that leads out of the repository" };
  });
}

/** A file of the person's own, who may keep it elsewhere and link to it. */
export function readOwnFile(path: string): SmallFile {
  return reading(() => readRegular(realpathSync(path)));
}

function reading(read: () => SmallFile): SmallFile {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return code === "ENOENT" || code === "ENOTDIR" ? { status: "missing" } : { status: "refused", found: code };
  }
}

/** A pipe or a device in the file's place would keep the agent waiting. */
function readRegular(path: string): SmallFile {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (stats.isDirectory()) return { status: "refused", found: "EISDIR" };
    if (!stats.isFile()) return { status: "refused", found: "no regular file" };
    if (stats.size > MAX_BYTES) return { status: "refused", found: "more than 1 MB" };
    return { status: "read", text: readFileSync(file, "utf8") };
  } finally {
    closeSync(file);
  }
}
