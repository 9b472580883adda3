import { Command, CommanderError } from "commander";
import { CliError } from "./cli-error.ts";
import { COMMANDS } from "./commands/commands.ts";
import { EXIT } from "./exit-codes.ts";
import type { Surroundings } from "./surroundings.ts";
import { VERSION } from "./version.ts";

/** Runs a command line and gives the exit code; what goes wrong is said on stderr. */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = createProgram(surroundings, (code) => (exitCode = code));
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return reportError(error, surroundings);
  }
}

/** The program with all its commands. */
export function createProgram(surroundings: Surroundings, exit: (code: number) => void): Command {
  const program = new Command("checkpoint")
    .description("Blocks a coding agent's stop once, with the exact checklist of what is still missing.")
    .version(VERSION, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show help")
    .configureOutput({ writeOut: surroundings.out, writeErr: surroundings.err })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(run it with --help for its options)")
    .exitOverride()
    .addHelpText("after", EXIT_CODES);
  for (const command of COMMANDS) {
    program.addCommand(command({ ...surroundings, exit }).copyInheritedSettings(program));
  }
  return program;
}

const EXIT_CODES = `
Exit codes:
  0  done, and nothing is wrong
  1  done, and something is not in order
  2  called wrongly, or refused; nothing was done
  3  a file, the store or a program failed
`;

function reportError(error: unknown, { err, style }: Surroundings): number {
  if (!(error instanceof CliError)) {
    err(`${style.bad("error:")} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return EXIT.failed;
  }
  err(`${style.bad("error:")} ${error.message}\n`);
  if (error.advice !== null) err(`${error.advice}\n`);
  return error.exitCode;
}
