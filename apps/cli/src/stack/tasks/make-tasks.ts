import { type FileTree, firstFile } from "../file-tree.ts";
import { PLAIN_NAME, type Task } from "./task.ts";

const RULE = /^([^\s#:=.][^#:=]*?)\s*::?(?!=)(?:\s|$)/;

/** The targets of a Makefile. */
export function makeTasks(tree: FileTree): readonly Task[] {
  const file = firstFile(tree, ["GNUmakefile", "makefile", "Makefile"]);
  const text = file === null ? null : tree.read(file);
  if (file === null || text === null) return [];
  const bodies = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/)) {
    const rule = RULE.exec(line);
    if (line.startsWith("\t")) current.push(line.trim().replace(/^[@+-]+\s*/, ""));
    else if (rule) {
      current = [];
      for (const name of (rule[1] ?? "").split(/\s+/)) if (!bodies.has(name)) bodies.set(name, current);
    }
  }
  return [...bodies]
    .filter(([name]) => PLAIN_NAME.test(name))
    .map(([name, lines]) => ({
      name,
      run: `make ${name}`,
      evidence: [`make ${name}`],
      body: lines.join(" && "),
      where: `${file}: ${name}`,
    }));
}
