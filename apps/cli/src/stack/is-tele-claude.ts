import type { FileTree } from "./file-tree.ts";

/** Whether a tree is TeleClaude's, by the sign that stops go by: a folder of that name with Python in it. */
export function isTeleClaude(tree: FileTree): boolean {
  const inner = tree.list("teleclaude");
  const below = inner
    .filter((name) => name.endsWith("/"))
    .flatMap((name) => tree.list(`teleclaude/${name.slice(0, -1)}`));
  return [...inner, ...below].some((name) => name.endsWith(".py"));
}
