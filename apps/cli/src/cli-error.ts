import { EXIT, type ExitCode } from "./exit-codes.ts";

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

/** The call is invalid or refused: nothing was done. */
export function refused(message: string, advice?: string): CliError {
  return new CliError(message, { exitCode: EXIT.usage, ...(advice !== undefined && { advice }) });
}

/** A file, the store or a program failed. */
export function failed(message: string, advice?: string): CliError {
  return new CliError(message, { exitCode: EXIT.failed, ...(advice !== undefined && { advice }) });
}
