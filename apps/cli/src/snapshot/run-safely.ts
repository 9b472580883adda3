import type * as Safety from "@agent-checkpoint/snapshots";
import type { SafetyOptions, Trouble } from "@agent-checkpoint/snapshots";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { visible } from "../terminal/visible.ts";
import { type PlaceFlags, safetyOptions } from "./safety-options.ts";
import { showProgress } from "./show-progress.ts";

/** Calls the library with the options of a command; a trouble becomes the error that the program ends with. */
export async function runSafely<T extends { readonly status: string }>(
  command: string,
  flags: PlaceFlags,
  context: CommandContext,
  call: (safety: typeof Safety, options: SafetyOptions) => Promise<T | Trouble>,
): Promise<T> {
  const { progress, clear } = showProgress(context);
  const safety = await import("@agent-checkpoint/snapshots");
  const result = await call(safety, safetyOptions(flags, context, { command, progress })).finally(clear);
  if (isTrouble(result)) throw toCliError(result);
  return result;
}

/** The error that says what was refused or failed. */
export function toCliError({ status, message, advice }: Trouble): CliError {
  return new CliError(visible(message), {
    exitCode: status === "refused" ? EXIT.usage : EXIT.failed,
    ...(advice === null ? {} : { advice: visible(advice) }),
  });
}

function isTrouble(result: { readonly status: string }): result is Trouble {
  return result.status === "refused" || result.status === "failed";
}
