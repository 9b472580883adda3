import type { FileTree } from "../file-tree.ts";
import { dig, entriesOf, readData } from "../read-data.ts";

/** A package of a project: the root's, or one of its workspaces. */
export interface NodePackage {
  readonly folder: string;
  readonly tree: FileTree;
}

/** The names of the packages that a package.json asks for. */
export function dependenciesOf(tree: FileTree): readonly string[] {
  const manifest = readData(tree, "package.json");
  return ["dependencies", "devDependencies"].flatMap((key) => entriesOf(dig(manifest, key)).map(([name]) => name));
}
