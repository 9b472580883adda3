import { readdirSync } from "node:fs";
import { type BytePath, diskPath } from "../paths/byte-path.ts";

/**
 * Every path below a folder: folders, files, links and the rest; links are not followed, paths to avoid are left out.
 * What is in a `.git` is left out too, and its name only given where that is asked for.
 */
export function walkFolder(
  root: string,
  folder: BytePath,
  avoid: ReadonlySet<BytePath>,
  { namesGit = false }: { readonly namesGit?: boolean } = {},
): readonly BytePath[] {
  const found: BytePath[] = [];
  const folders = [folder];
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    for (const child of readdirSync(diskPath(root, current), { withFileTypes: true, encoding: "latin1" })) {
      const path = current === "" ? child.name : `${current}/${child.name}`;
      const isGit = child.name === ".git";
      if (avoid.has(path) || (isGit && !namesGit)) continue;
      found.push(path);
      if (isGit) continue;
      if (child.isDirectory()) folders.push(path);
    }
  }
  return found;
}
