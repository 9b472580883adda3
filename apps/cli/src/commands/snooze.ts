import { Command } from "commander";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";
import type { SnoozeOptions } from "../snooze/run-snooze.ts";
import { agentOption } from "./agent-option.ts";
import type { MakeCommand } from "./command-context.ts";

/** `checkpoint snooze`: lets stops pass for a while. */
export const snooze: MakeCommand = (context) =>
  new Command("snooze")
    .summary("Let stops pass for a while")
    .description(
      "Lets stops pass without a checkpoint for a while, at most 7 days: in this repository, or of one session. For people only: in an agent's shell call it refuses.",
    )
    .argument("[for...]", "how long: 30m, 2h, 1d, until 18:00")
    .option("--session <id>", "only this session, by its id or how it begins")
    .addOption(agentOption("the agent of that session"))
    .option("--reason <text>", "why, for whoever asks later")
    .option("--off", "judge stops again from now on")
    .option("--force", "for a terminal that an agent's variables have got into: asks whether you are a person")
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
Without a time it shows what is snoozed here. A repository is its work tree:
every git worktree is snoozed on its own.

Examples:
  $ checkpoint snooze 30m
  $ checkpoint snooze until 18:00 --reason "demo in this branch"
  $ checkpoint snooze 2h --session 3f1c0d77
  $ checkpoint snooze --off
  $ checkpoint snooze list
`;

const list: MakeCommand = (context) =>
  new Command("list")
    .summary("Show what is snoozed")
    .description("Shows what is snoozed, until when, and by whom.")
    .option("--json", "print one JSON value")
    .addHelpText("after", "\nExamples:\n  $ checkpoint snooze list\n  $ checkpoint snooze list --json\n")
    .action(async (_options: object, command: Command) => {
      const { showSnoozes } = await import("../snooze/run-snooze.ts");
      // The parent has --json too and may have taken it.
      return showSnoozes(command.optsWithGlobals<SnoozeOptions>(), context, "everywhere");
    });
