import { readWorkTree, type WorkTree } from "@agent-checkpoint/git";
import { lookForWorkTree } from "./look-for-work-tree.ts";

export type { WorkTree } from "@agent-checkpoint/git";

/** The work tree that a folder lies in, or why there is none. */
export async function findWorkTree(folder: string): Promise<WorkTree | { readonly none: string }> {
  const plain = lookForWorkTree(folder);
  if (plain !== null) return plain;
  const reading = await readWorkTree(folder);
  return reading.ok ? reading.workTree : { none: reading.detail };
}
