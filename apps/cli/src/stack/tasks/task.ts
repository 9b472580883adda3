import { parseCommandLine, type ShellCommand } from "@agent-checkpoint/heuristics";
import type { StackCommand } from "../stack.ts";

/** A named command of the repository: a script, a target, a recipe. */
export interface Task extends StackCommand {
  readonly name: string;
  /** The shell commands that it runs. */
  readonly body: string;
}

/** Names that a task can be called by in a config without quoting. */
export const PLAIN_NAME: RegExp = /^[\w@][\w@:./-]*$/;

/** Tasks that would not end, or that change what they look at. */
const NO_CHECK = /watch|update|debug|open|\bui\b|serve|install|setup|fix|clean|snapshot|codegen|types?\b|lint|format/;

const TEST_NAME = /^(?:tests?|spec|unit)(?:[:_-].+)?$|^unit[_-]?tests?$/;

/** Whether a task runs tests, by its name. */
export function isTestTask({ name }: Task): boolean {
  return TEST_NAME.test(name) && !NO_CHECK.test(name);
}

/** The tasks that cannot succeed without this command having succeeded. */
export function tasksThatRun(tasks: readonly Task[], words: string): readonly Task[] {
  return tasks.filter(({ body }) => commandsOf(body).some(({ argv, decides }) => decides && startsWith(argv, words)));
}

/** The tasks that run this command and nothing else. */
export function tasksFor(tasks: readonly Task[], words: string): readonly Task[] {
  return tasks.filter(({ body }) => {
    const commands = commandsOf(body);
    return commands.length === 1 && commands.every(({ argv }) => startsWith(argv, words));
  });
}

/** Whether the operands of a command begin with these words; a package manager may stand before them. */
export function startsWith(argv: readonly string[], words: string): boolean {
  const wanted = words.split(" ").filter((word) => !word.startsWith("-"));
  const operands = argv.filter((word) => !word.startsWith("-"));
  const starts = MANAGERS.has(operands[0] ?? "") ? [0, 1, operands[1] === "run" ? 2 : 1] : [0];
  return starts.some((start) => wanted.every((word, index) => operands[start + index] === word));
}

const MANAGERS: ReadonlySet<string> = new Set(["yarn", "pnpm", "bun"]);

/** The commands of a body. */
export function commandsOf(body: string): readonly ShellCommand[] {
  return parseCommandLine(body);
}
