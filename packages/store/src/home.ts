import { existsSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode, StoreError } from "./store-error.ts";

/** Makes the home, readable by its owner only; a folder that another user laid out in the temporary folder is refused. */
export function ensureHome(home: string): void {
  makeFolder(home);
  if (process.getuid === undefined || !isTemporary(dirname(home))) return;
  const stats = lstatSync(home);
  if (!stats.isDirectory() || stats.uid !== process.getuid())
    throw new StoreError(
      "cannot-create",
      `${home} belongs to another user; set CHECKPOINT_HOME to a folder of your own`,
    );
}

/** Whether a folder is one for temporary files; asking the system's module would cost every event its loading. */
function isTemporary(folder: string): boolean {
  const { TMPDIR, TMP, TEMP } = process.env;
  return [TMPDIR, TMP, TEMP, "/tmp"].some((path) => path !== undefined && path.replace(/(.)\/+$/, "$1") === folder);
}

/** Makes a folder and those above it; Node's own way of doing so never ends where a folder exists and none can be made in it. */
function makeFolder(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = errorCode(error);
    // Another process may have been faster.
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    if (code !== "ENOENT" || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path));
    makeFolder(path);
  }
}
