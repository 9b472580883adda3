import { readWorkTree, type WorkTree } from "@agent-checkpoint/git";

export type { WorkTree } from "@agent-checkpoint/git";

/** The work tree that a folder lies in, or why there is none. */
export async function findWorkTree(folder: string): Promise<WorkTree | { readonly none: string }> {
  const reading = await readWorkTree(folder);
  return reading.ok ? reading.workTree : { none: reading.detail };
}
