import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isNodeTooOld } from "@agent-checkpoint/files/node-version";
import { execaSync } from "execa";
import { IS_BINARY_TESTED } from "./hook-process.ts";

/** A Node on the PATH that is older than the program needs, if there is one. The executable needs none. */
export function oldNode(): string | null {
  if (IS_BINARY_TESTED) return null;
  const folders = (process.env["PATH"] ?? "").split(":").filter((folder) => existsSync(join(folder, "node")));
  for (const folder of folders) {
    const node = join(folder, "node");
    if (dirname(process.execPath) === folder) continue;
    const { stdout, exitCode } = execaSync(node, ["--version"], { reject: false });
    if (exitCode === 0 && isNodeTooOld(stdout.slice(1))) return node;
  }
  return null;
}
