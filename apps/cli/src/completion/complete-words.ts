import type { Argument, Command, Option } from "commander";

/** How the last of the typed words can end: the commands, options and values that the help of a program shows. */
export function completeWords(program: Command, typed: readonly string[]): readonly string[] {
  // Bash gives the sign of `--option=value` as a word of its own.
  const words = typed.filter((word) => word !== "=");
  const last = typed.at(-1) === "=" ? "" : (words.at(-1) ?? "");
  const before = typed.at(-1) === "=" ? words : words.slice(0, -1);
  const { command, pending } = follow(program, before);
  return candidates(command, pending, last)
    .filter((word) => word.startsWith(last))
    .toSorted();
}

/** The command that the words lead to, and the option whose value comes next. */
function follow(
  program: Command,
  words: readonly string[],
): { readonly command: Command; readonly pending: Option | undefined } {
  let command = program;
  let pending: Option | undefined;
  for (const word of words) {
    const option =
      pending === undefined
        ? visibleOptions(command).find(({ short, long }) => word === short || word === long)
        : undefined;
    if (pending === undefined && option === undefined)
      command =
        command
          .createHelp()
          .visibleCommands(command)
          .find((child) => child.name() === word) ?? command;
    pending = option?.required === true || option?.optional === true ? option : undefined;
  }
  return { command, pending };
}

function candidates(command: Command, pending: Option | undefined, last: string): readonly string[] {
  if (pending !== undefined) return pending.argChoices ?? [];
  if (last.startsWith("-"))
    return visibleOptions(command).flatMap(({ short, long }) => [short, long].filter((flag) => flag != null));
  const commands = command
    .createHelp()
    .visibleCommands(command)
    .map((child) => child.name());
  const values = command.registeredArguments.flatMap((argument: Argument) => argument.argChoices ?? []);
  return [...commands.filter((name) => name !== "help"), ...values];
}

function visibleOptions(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}
