import { COMMAND_NAMES } from "@agent-checkpoint/phases/commands";
import { Argument, Command } from "commander";
import type { CompleteOptions, StartOptions, UpdateOptions } from "../phase/run-phase.ts";
import type { HistoryOptions } from "../phase/list-phases.ts";
import type { CommandContext, MakeCommand } from "../command-context.ts";

/** `checkpoint phase`: tracks and resumes long-running commands. */
export const phase: MakeCommand = (context) =>
  new Command("phase")
    .summary("Track and resume long-running commands")
    .description(
      "Tracks the phases of a long command (start, design, reconcile, research, implement, ship, review) in .claude/state, so that the next run can resume.",
    )
    .addHelpText("after", HELP)
    .addCommand(start(context))
    .addCommand(update(context))
    .addCommand(complete(context))
    .addCommand(resume(context))
    .addCommand(show(context))
    .addCommand(list(context));

const HELP = `
Exit codes: 0 done; 1 nothing to resume (resume), no phase file (show), or an
unreadable one (list); 2 refused: a name, a step, a summary over 500 tokens, a
conflicting save; 3 a file or the lock failed.

Examples:
  $ checkpoint phase start implement build --feature auth
  $ checkpoint phase update implement build --feature auth --summary "Half done."
  $ checkpoint phase complete implement build --feature auth --summary "Built."
  $ checkpoint phase resume implement --feature auth --json
  $ checkpoint phase show implement --feature auth
  $ checkpoint phase list
  $ checkpoint phase list --history --since 7d
  $ checkpoint phase complete implement --feature auth
`;

const commandArgument = () => new Argument("<command>", "the command").choices(COMMAND_NAMES);

/** A subcommand of `phase` for one command, with an optional feature. */
function below(name: string, summary: string): Command {
  return new Command(name)
    .summary(summary)
    .description(`${summary}.`)
    .addArgument(commandArgument())
    .option("--feature <name>", "the feature that the command works on")
    .option("--json", "print one JSON value");
}

const start = (context: CommandContext): Command =>
  below("start", "Begin or resume a run: set a phase in progress")
    .argument("[phase]", "the phase (default: the one to resume, or the first)")
    .option("--phases <names>", "the phases of a new run in order, separated by commas (default: the usual ones)")
    .option("--restart", "begin a new run even if one is in progress")
    .option("--reopen", "reopen a completed phase")
    .action(async (command: string, phase: string | undefined, options: StartOptions) => {
      const { startPhase } = await import("../phase/run-phase.ts");
      return startPhase({ command, phase }, options, context);
    });

const update = (context: CommandContext): Command =>
  below("update", "Change a phase: its status, its summary, its files")
    .argument("<phase>", "the phase")
    .option("--status <status>", "pending, in_progress, complete, failed or skipped")
    .option("--summary <text>", "what the next phase needs to know, in at most 500 tokens")
    .option("--summary-file <file>", "the same from a file, or from stdin with -")
    .option("--created <files...>", "the files that it created")
    .option("--modified <files...>", "the files that it changed")
    .option("--error <text>", "why it failed")
    .option("--reopen", "reopen the phase if it is complete")
    .option("--accept-head", "stop warning that HEAD has moved since the run began")
    .option("--allow-ship", "ship: open the gate for the current HEAD commit")
    .option("--block-ship <reasons...>", "ship: close the gate for these reasons")
    .action(async (command: string, phase: string, options: UpdateOptions) => {
      const { updatePhase } = await import("../phase/run-phase.ts");
      return updatePhase({ command, phase }, options, context);
    });

const complete = (context: CommandContext): Command =>
  below("complete", "Complete a phase, or the whole command")
    .argument("[phase]", "the phase (default: the whole command)")
    .option("--summary <text>", "what the next phase needs to know, in at most 500 tokens")
    .option("--summary-file <file>", "the same from a file, or from stdin with -")
    .option("--created <files...>", "the files that the phase created")
    .option("--modified <files...>", "the files that the phase changed")
    .action(async (command: string, phase: string | undefined, options: CompleteOptions) => {
      const { completePhase } = await import("../phase/run-phase.ts");
      return completePhase({ command, phase }, options, context);
    });

const resume = (context: CommandContext): Command =>
  below("resume", "Show where a command resumes, and what was done before").action(
    async (command: string, options: { feature?: string; json?: true }) => {
      const { resumePhase } = await import("../phase/run-phase.ts");
      return resumePhase(command, options, context);
    },
  );

const show = (context: CommandContext): Command =>
  below("show", "Show the phases of a command").action(
    async (command: string, options: { feature?: string; json?: true }) => {
      const { showPhase } = await import("../phase/run-phase.ts");
      return showPhase(command, options, context);
    },
  );

const list = (context: CommandContext): Command =>
  new Command("list")
    .summary("List the phase files of this project, or their history")
    .description("Lists the phase files of this project, or their history.")
    .option("--history", "the steps of all runs, newest first")
    .option("--since <when>", "only steps since then: 12h, 7d, 2w or a date")
    .option("--rebuild", "delete the history and rebuild it from the state files")
    .option("--json", "print one JSON value")
    .action(async (options: HistoryOptions & { history?: true }) => {
      if (options.history !== true && options.since === undefined && options.rebuild !== true) {
        const { listPhases } = await import("../phase/list-phases.ts");
        return listPhases(options, context);
      }
      const { listHistory } = await import("../phase/list-phases.ts");
      return listHistory(options, context);
    });
