import type { ExitCode } from "./exit-codes.ts";

/** What a command gives up with; its words go to a person: what is wrong, where, and what to do. */
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
