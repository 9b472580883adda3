import { Command } from "commander";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import type { SnoozeOptions } from "../snooze/run-snooze.ts";
import { agentOption } from "./agent-option.ts";
import type { MakeCommand } from "../command-context.ts";

/** `checkpoint snooze`: lets stops pass for a while. */
export const snooze: MakeCommand = (context) =>
  new Command("snooze")
    .summary("Let stops pass for a while")
    .description(
      "Lets stops pass without a checkpoint for a while, at most 7 days: in this repository, or for one session. For people only: it refuses to run in an agent's shell call.",
    )
    .argument("[for...]", "how long: 30m, 2h, 1d, until 18:00")
    .option("--session <id>", "only this session, by id or prefix")
    .addOption(agentOption("the agent of that session"))
    .option("--reason <text>", "the reason, shown in the list")
    .option("--off", "judge stops again from now on")
    .option("--force", "for a terminal that inherited an agent's variables: asks whether you are a person")
    .option("--json", "print one JSON value")
    .addHelpText("after", HELP)
    .addCommand(list(context))
    .action(async (words: string[], options: SnoozeOptions) => {
      if (options.off !== true && words.length > 0) {
        const { startSnooze } = await import("../snooze/run-snooze.ts");
        return startSnooze(words, options, context);
      }
      if (options.off !== true) {
        const { showSnoozes } = await import("../snooze/run-snooze.ts");
        return showSnoozes(options, context, "here");
      }
      if (words.length > 0) throw new CliError("a time and --off exclude each other", { exitCode: EXIT.usage });
      const { endSnooze } = await import("../snooze/run-snooze.ts");
      return endSnooze(options, context);
    });

const HELP = `
Without a time it shows the snoozes here. A repository is its work tree: every
git worktree is snoozed separately.

Examples:
  $ checkpoint snooze 30m
  $ checkpoint snooze until 18:00 --reason "demo in this branch"
  $ checkpoint snooze 2h --session 3f1c0d77
  $ checkpoint snooze --off
  $ checkpoint snooze list
`;

const list: MakeCommand = (context) =>
  new Command("list")
    .summary("Show all snoozes")
    .description("Shows all snoozes, until when they last, and who made them.")
    .option("--json", "print one JSON value")
    .addHelpText("after", "\nExamples:\n  $ checkpoint snooze list\n  $ checkpoint snooze list --json\n")
    .action(async (_options: object, command: Command) => {
      const { showSnoozes } = await import("../snooze/run-snooze.ts");
      // The parent also has --json and may have consumed it.
      return showSnoozes(command.optsWithGlobals<SnoozeOptions>(), context, "everywhere");
    });
