import { statfsSync } from "node:fs";
import type { Change } from "../kinds/kind.ts";
import { SafetyError } from "../trouble.ts";

/** Refuses a restore that needs more room than there is, before anything is written. */
export function refuseFullDisk(changes: readonly Change[], root: string): void {
  const needed = changes.reduce((sum, { from, to }) => sum + from.size + to.size, 0);
  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize < needed) {
    throw new SafetyError(
      "no-space",
      `The restore needs ${needed} bytes, and ${bavail * bsize} are free.`,
      "Make room, or restore in parts with --scope. Nothing was changed.",
    );
  }
}
