import { Argument, type Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { completeWords } from "../completion/complete-words.ts";

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
