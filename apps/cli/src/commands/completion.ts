import { Argument, Command } from "commander";
import type { MakeCommand } from "./command-context.ts";

/** `checkpoint completion`: the script with which a shell completes this program's words. */
export const completion: MakeCommand = ({ out }) =>
  new Command("completion")
    .summary("Print a script for completion in your shell")
    .description("Prints the script with which a shell completes commands, options and their values.")
    .addArgument(new Argument("<shell>", "the shell it is for").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", HELP)
    .action(async (shell: "bash" | "zsh" | "fish", _options: object, command: Command) => {
      const [{ completionTree }, { SCRIPTS }] = await Promise.all([
        import("../completion/completion-tree.ts"),
        import("../completion/scripts.ts"),
      ]);
      out(SCRIPTS[shell](completionTree(command.parent ?? command)));
    });

const HELP = `
The script is made from the commands of this version: load it anew with each
shell, or after an update.

Examples:
  $ eval "$(checkpoint completion bash)"          # in ~/.bashrc
  $ eval "$(checkpoint completion zsh)"           # in ~/.zshrc, after compinit
  $ checkpoint completion fish | source           # in ~/.config/fish/config.fish
`;
