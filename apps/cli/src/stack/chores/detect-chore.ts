import type { FileTree } from "../file-tree.ts";
import type { PackageManagerName } from "../package-manager.ts";
import type { Chore, StackCommand } from "../stack.ts";
import { type Task, tasksFor, tasksThatRun } from "../tasks/task.ts";

/** What is known of a folder when a chore is looked for in it. */
export interface ChoreContext {
  readonly tasks: readonly Task[];
  readonly manager: PackageManagerName;
  /** What stands before a Python program: `uv run `. */
  readonly pythonStart: string;
}

/** Looks for files in a folder that ask for a command when they change; paths are relative to it. */
export type DetectChore = (tree: FileTree, context: ChoreContext) => Chore | null;

/** A tool's command, and how it is told apart among the repository's tasks. */
export interface ToolCall extends StackCommand {
  /** The tool's words: a task that does nothing else is asked for instead. */
  readonly tool: string;
  /** Other words of the tool that do as well. */
  readonly also?: readonly string[];
  /** A task of such a name does the work in its own way, and is asked for too, unless it runs one of the other words. */
  readonly named?: RegExp;
}

/**
 * The repository's own task for a tool where it has one that does nothing else, else the tool itself.
 * Every task that cannot succeed without the tool counts as having run it.
 */
export function preferTask(
  tasks: readonly Task[],
  { run, evidence, where, tool, also = [], named }: ToolCall,
): StackCommand {
  const others = also.flatMap((words) => tasksThatRun(tasks, words));
  const byName = tasks.find((task) => named?.test(task.name) === true && !others.includes(task));
  const own = tasksFor(tasks, tool)[0] ?? byName;
  const running = [...tasksThatRun(tasks, tool), ...others].flatMap((task) => task.evidence);
  return {
    run: own?.run ?? run,
    evidence: [...new Set([...(own?.evidence ?? []), ...evidence, ...running])],
    where: own === undefined ? where : `${where}, ${own.where}`,
  };
}

/** The task that runs a tool, for tools that need to be told more than a detector knows. */
export function onlyTask(tasks: readonly Task[], tool: string): StackCommand | null {
  const own = tasksThatRun(tasks, tool);
  const first = own[0];
  if (first === undefined) return null;
  return { run: first.run, evidence: [...new Set(own.flatMap(({ evidence }) => evidence))], where: first.where };
}
