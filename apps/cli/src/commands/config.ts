import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { checkConfig } from "../config/check-config.ts";
import { showConfig } from "../config/show-config.ts";

/** `checkpoint config`: the rules, and whether they can be used. */
export function config(command: Command, context: CommandContext): void {
  command
    .description(
      "Checks and shows the rules that apply in this repository: a preset, overridden by your own config, overridden by checkpoint.config.json.",
    )
    .addHelpText("after", "\nExamples:\n  $ checkpoint config check\n  $ checkpoint config show\n");
  command
    .command("check")
    .summary("Check the config files")
    .description(
      "Checks the config files that apply here, or one file, and whether a command could ever satisfy their evidence. Exit code 1 if something is wrong.",
    )
    .argument("[file]", "a config file, checked as if it were this repository's")
    .option("--json", "print one JSON value")
    .addHelpText(
      "after",
      "\nExamples:\n  $ checkpoint config check\n  $ checkpoint config check drafts/checkpoint.config.json\n",
    )
    .action((file: string | undefined, options: { json?: true }) => checkConfig(file, options, context));
  command
    .command("show")
    .summary("Show the rules that apply here, and where each comes from")
    .description(
      "Shows the rules that apply here after all layers are merged, each value with the layer it comes from.",
    )
    .option("--json", "print one JSON value")
    .addHelpText("after", "\nExamples:\n  $ checkpoint config show\n  $ checkpoint config show --json\n")
    .action((options: { json?: true }) => showConfig(options, context));
}
