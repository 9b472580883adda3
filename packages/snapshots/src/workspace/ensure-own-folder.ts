import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../error-code.ts";
import { ensureFolder } from "../files/ensure-folder.ts";

/**
 * Makes a folder of ours in a workspace, with a `.gitignore` of its own so that git sees nothing of it.
 * Null where something else, a link perhaps, has its name.
 */
export function ensureOwnFolder(root: string, name: string): string | null {
  const folder = join(root, name);
  if (!ensureFolder(folder).isDirectory()) return null;
  const ignore = join(folder, ".gitignore");
  try {
    if (!existsSync(ignore)) writeFileSync(ignore, "*\n", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  return folder;
}
