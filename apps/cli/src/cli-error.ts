import type { ExitCode } from "./exit-codes.ts";

/** The error of a command, with a message and advice for the user. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;
  readonly advice: string | null;

  constructor(message: string, { exitCode, advice }: { readonly exitCode: ExitCode; readonly advice?: string }) {
    super(message);
    this.exitCode = exitCode;
    this.advice = advice ?? null;
  }
}
