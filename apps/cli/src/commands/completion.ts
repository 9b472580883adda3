import { Argument, type Command, type Option } from "commander";
import type { CommandContext } from "../command-context.ts";

/** `checkpoint completion`: the completion script for a shell. */
export function completion(command: Command, { out }: CommandContext): void {
  command
    .description("Prints the script that completes commands, options and their values in a shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]))
    .addArgument(new Argument("[words...]", "the words typed so far: prints the completions of the last one"))
    .addHelpText("after", HELP)
    .action((shell: keyof typeof SCRIPTS, words: readonly string[]) => {
      if (words.length === 0) return out(SCRIPTS[shell]);
      const completed = completeWords(command.parent ?? command, words.slice(1));
      return out(completed.map((word) => `${word}\n`).join(""));
    });
}

/** Each script passes the words of the line to the program, and falls back to file names. */
const SCRIPTS = {
  bash: `_checkpoint() {
  local IFS=$'\\n'
  COMPREPLY=($(checkpoint completion bash -- "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null))
}
complete -o default -F _checkpoint checkpoint
`,
  zsh: `_checkpoint() {
  local found=("\${(@f)$(checkpoint completion zsh -- "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ -n $found ]]; then compadd -a found; else _files; fi
}
compdef _checkpoint checkpoint
`,
  fish: `function __checkpoint_complete
  checkpoint completion fish -- (commandline -opc) (commandline -ct) 2>/dev/null
end
complete -c checkpoint -a '(__checkpoint_complete)'
`,
};

const HELP = `
Examples:
  $ eval "$(checkpoint completion bash)"          # in ~/.bashrc
  $ eval "$(checkpoint completion zsh)"           # in ~/.zshrc, after compinit
  $ checkpoint completion fish | source           # in ~/.config/fish/config.fish
`;

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
