import { errorMessage } from "@agent-checkpoint/files";
import { redact } from "@agent-checkpoint/redaction";
import { Command, CommanderError, type OutputConfiguration } from "commander";
import { CliError } from "./cli-error.ts";
import type { CommandContext } from "./command-context.ts";
import { COMMAND_GROUPS, HELP_HEADING } from "./commands/commands.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import type { Environment } from "./environment.ts";
import { wrapText } from "./terminal/layout.ts";
import { toJson, visible, withoutSecrets } from "./terminal/visible.ts";
import { VERSION } from "./version.ts";

/** Runs a command line and returns the exit code; errors go to stderr. */
export async function runProgram(args: readonly string[], given: Environment): Promise<number> {
  let exitCode: number = EXIT.ok;
  let hasPrinted = false;
  const context: CommandContext = {
    ...given,
    // The last line of defence: no secret is printed, whoever forgot to redact it.
    out: (text) => {
      hasPrinted = true;
      given.out(withoutSecrets(text));
    },
    err: (text) => given.err(redact(text)),
    exit: (code) => (exitCode = code),
  };
  try {
    const program = await createProgram(context, args);
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    const problem = problemOf(error);
    // What is wrong with the call itself, commander has printed already.
    if (!(error instanceof CommanderError)) printProblem(problem, context);
    // Some commands print what they know before they fail.
    const isJsonOwed = ownWords(args).includes("--json") && !hasPrinted;
    if (problem.exitCode !== EXIT.ok && isJsonOwed) context.out(toJson({ error: problem }));
    if (problem.exitCode === EXIT.failed && context.env["CHECKPOINT_DEBUG"]) context.err(stackOf(error));
    return problem.exitCode;
  }
}

/** What follows `--` belongs to another command. */
function ownWords(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return end === -1 ? args : args.slice(0, end);
}

/** The program with its commands; those that the words name are loaded, of the others it has what the help lists. */
export async function createProgram(context: CommandContext, words: readonly string[]): Promise<Command> {
  const program = new Command("checkpoint")
    .description("Blocks a coding agent's stop once, with the exact checklist of what is still missing.")
    .version(VERSION, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show help")
    .configureOutput(outputOf(context))
    .configureHelp({ styleTitle: context.style.bold, subcommandTerm: nameWithArguments })
    .showHelpAfterError("(run it with --help for its options)")
    .exitOverride()
    .addHelpText("after", AFTER);
  for (const { heading, commands } of COMMAND_GROUPS)
    for (const { usage, summary, load } of commands) {
      const [name = "", ...shown] = usage.split(" ");
      const command = program.command(name).summary(summary).helpGroup(heading);
      if (words.includes(name)) (await load())(command, context);
      else command.usage(shown.join(" "));
    }
  return program.addHelpCommand(
    new Command("help").argument("[command]").description("Show help for a command").helpGroup(HELP_HEADING),
  );
}

/** The help is as wide as the terminal, up to 100 columns; the style decides on colours. */
function outputOf({ out, err, columns }: Environment): OutputConfiguration {
  const width = () => Math.min(columns, 100);
  const hasColors = () => true;
  return {
    writeOut: out,
    writeErr: err,
    outputError: (text, write) => write(visibleLines(text)),
    getOutHelpWidth: width,
    getErrHelpWidth: width,
    getOutHasColors: hasColors,
    getErrHasColors: hasColors,
  };
}

/** `why [stop]`: the name and the arguments, without `[options]`. */
function nameWithArguments(command: Command): string {
  return `${command.name()} ${command.usage().replaceAll(/\[(?:options|command)\] ?/g, "")}`.trimEnd();
}

const AFTER = `
Examples:
  $ checkpoint init            # set up the agents on this machine
  $ checkpoint doctor          # prove that the hooks fire
  $ checkpoint why             # why the last stop was blocked or passed
  $ checkpoint stats           # which rules help, and which are noise
  $ checkpoint snooze 30m      # let stops pass for half an hour

Exit codes:
  0  done, and nothing is wrong
  1  done, with findings
  2  invalid call, or refused; nothing was done
  3  a file, the store or a program failed
`;

/** What went wrong, as `--json` prints it. */
interface Problem {
  readonly message: string;
  readonly advice: string | null;
  readonly exitCode: ExitCode;
}

function problemOf(error: unknown): Problem {
  if (error instanceof CliError) return { message: error.message, advice: error.advice, exitCode: error.exitCode };
  const message = errorMessage(error);
  if (error instanceof CommanderError) {
    const [first = "", hint] = message.replace(/^error: /, "").split("\n");
    const advice = hint?.replaceAll(/^\(|\)$/g, "") ?? null;
    return { message: first, advice, exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
  }
  const advice = "This is a fault of the program: please report it, with what CHECKPOINT_DEBUG=1 shows.";
  return { message: `unexpected: ${message}`, advice, exitCode: EXIT.failed };
}

function printProblem({ message, advice }: Problem, { err, style, columns, isTerminal }: Environment): void {
  // Only a person's terminal has an edge at which a word would be cut; whoever reads a pipe gets each sentence on one line.
  const fit = (text: string) =>
    isTerminal
      ? text
          .split("\n")
          .map((line) => wrapText(line, { columns }))
          .join("")
      : `${text}\n`;
  err(fit(`${style.bad("error:")} ${visibleLines(message)}`));
  if (advice !== null) err(fit(visibleLines(advice)));
}

/** The line breaks of a message are ours. */
function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

function stackOf(error: unknown): string {
  return error instanceof Error && error.stack !== undefined ? `${error.stack}\n` : "";
}
