import { Command } from "commander";
import type { MakeCommand } from "../command-context.ts";

/** `checkpoint config`: the rules, and whether they can be used. */
export const config: MakeCommand = (context) =>
  new Command("config")
    .summary("Check and show the rules that apply here")
    .description(
      "Checks and shows the rules that apply in this repository: a preset, overridden by your own config, overridden by checkpoint.config.json.",
    )
    .addHelpText("after", EXAMPLES)
    .addCommand(check(context))
    .addCommand(show(context));

const check: MakeCommand = (context) =>
  new Command("check")
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
    .action(async (file: string | undefined, options: { json?: boolean }) => {
      const { checkConfig } = await import("../config/check-config.ts");
      checkConfig(file, options, context);
    });

const show: MakeCommand = (context) =>
  new Command("show")
    .summary("Show the rules that apply here, and where each comes from")
    .description(
      "Shows the rules that apply here after all layers are merged, each value with the layer it comes from.",
    )
    .option("--json", "print one JSON value")
    .addHelpText("after", "\nExamples:\n  $ checkpoint config show\n  $ checkpoint config show --json\n")
    .action(async (options: { json?: boolean }) => {
      const { showConfig } = await import("../config/show-config.ts");
      showConfig(options, context);
    });

const EXAMPLES = `
Examples:
  $ checkpoint config check
  $ checkpoint config show
`;
