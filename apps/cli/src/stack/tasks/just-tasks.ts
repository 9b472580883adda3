import { type FileTree, firstFile } from "../file-tree.ts";
import { PLAIN_NAME, type Task } from "./task.ts";

const RECIPE = /^@?([\w-]+)(?:\s+[^:]*)?:(?!=)/;

/** The recipes of a justfile. */
export function justTasks(tree: FileTree): readonly Task[] {
  const file = firstFile(tree, ["justfile", "Justfile", ".justfile"]);
  const text = file === null ? null : tree.read(file);
  if (file === null || text === null) return [];
  const tasks: (Omit<Task, "body"> & { readonly lines: string[] })[] = [];
  for (const line of text.split(/\r?\n/)) {
    const name = RECIPE.exec(line)?.[1];
    if (/^\s+\S/.test(line)) tasks.at(-1)?.lines.push(line.trim().replace(/^[@-]+\s*/, ""));
    else if (name !== undefined && PLAIN_NAME.test(name))
      tasks.push({
        name,
        run: `just ${name}`,
        evidence: [`just ${name}`],
        where: `${file}: ${name}`,
        lines: [],
      });
  }
  return tasks.map(({ lines, ...task }) => ({ ...task, body: lines.join(" && ") }));
}
