import type { WorkTree } from "./find-work-tree.ts";
import { outputOf } from "./read-changes.ts";
import { runGit } from "./run-git.ts";

/** Blobs of a repository by their object id, in one call. */
export async function readBlobs(tree: WorkTree, oids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  if (oids.length === 0) return blobs;
  const output = outputOf(await runGit(["cat-file", "--batch"], { cwd: tree.root, input: [`${oids.join("\n")}\n`] }));
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at);
    const [oid = "", type, size] = output.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (type !== "blob") continue;
    blobs.set(oid, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
}
