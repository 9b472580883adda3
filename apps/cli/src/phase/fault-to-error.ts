import type { Fault, FaultCode } from "@agent-checkpoint/phases";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { visible } from "../terminal/visible.ts";

interface Meaning {
  readonly exitCode: ExitCode;
  readonly advice?: string;
}

const MEANINGS: Readonly<Record<FaultCode, Meaning>> = {
  "bad-name": { exitCode: EXIT.usage },
  invalid: { exitCode: EXIT.usage },
  "too-long": { exitCode: EXIT.usage, advice: "Shorten it to what the next phase needs to know." },
  "bad-step": { exitCode: EXIT.usage, advice: "Add --reopen to reopen it." },
  "no-checkpoint": { exitCode: EXIT.usage, advice: "checkpoint phase start begins one." },
  "not-ours": { exitCode: EXIT.usage },
  conflict: { exitCode: EXIT.usage, advice: "Run it again." },
  corrupt: {
    exitCode: EXIT.failed,
    advice: "Inspect the file that was set aside, or start over with checkpoint phase start.",
  },
  locked: { exitCode: EXIT.failed, advice: "Run it again when the other process is done." },
  "no-folder": { exitCode: EXIT.failed },
  failed: { exitCode: EXIT.failed },
};

/** Converts a fault of the phases to the program's error. */
export function faultToError({ code, message }: Fault): CliError {
  return new CliError(visible(message), MEANINGS[code]);
}
