import { join } from "node:path";
import { writeNew } from "@agent-checkpoint/files";
import { ensureFolder } from "../files/ensure-folder.ts";

/**
 * Creates a folder of ours in a workspace, with a `.gitignore` of its own so that git sees nothing of it.
 * Null if something else, a link perhaps, has its name.
 */
export function ensureOwnFolder(root: string, name: string): string | null {
  const folder = join(root, name);
  if (!ensureFolder(folder).isDirectory()) return null;
  writeNew(join(folder, ".gitignore"), "*\n", 0o600);
  return folder;
}
