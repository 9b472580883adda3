import { type FileTree, firstFile } from "../file-tree.ts";
import { dig, entriesOf, readData, stringOf } from "../read-data.ts";
import { PLAIN_NAME, type Task } from "./task.ts";

/** The tasks of a Taskfile. */
export function taskfileTasks(tree: FileTree): readonly Task[] {
  const file = firstFile(tree, ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"]);
  if (file === null) return [];
  return entriesOf(dig(readData(tree, file), "tasks"))
    .filter(([name]) => PLAIN_NAME.test(name))
    .map(([name, task]) => ({
      name,
      run: `task ${name}`,
      evidence: [`task ${name}`],
      body: commandsIn(task).join(" && "),
      where: `${file}: ${name}`,
    }));
}

/** A task is a command, a list of commands, or an object with `cmd` or `cmds`. */
function commandsIn(task: unknown): readonly string[] {
  if (Array.isArray(task)) return task.flatMap(commandsIn);
  const text = stringOf(task) ?? stringOf(dig(task, "cmd"));
  return text === null ? (Array.isArray(dig(task, "cmds")) ? commandsIn(dig(task, "cmds")) : []) : [text];
}
