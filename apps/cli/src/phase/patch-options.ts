import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { PhasePatch, PhaseStatus } from "@agent-checkpoint/phases";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";

export interface PatchOptions {
  readonly status?: string;
  readonly summary?: string;
  readonly summaryFile?: string;
  readonly created?: readonly string[];
  readonly modified?: readonly string[];
  readonly error?: string;
  readonly reopen?: true;
}

/** The phase patch from the options. */
export function patchOf(options: PatchOptions, cwd: string): PhasePatch {
  const summary = summaryOf(options, cwd);
  return {
    ...(options.status !== undefined && { status: options.status as PhaseStatus }),
    ...(summary !== undefined && { context_summary: summary }),
    ...(options.created !== undefined && { files_created: options.created }),
    ...(options.modified !== undefined && { files_modified: options.modified }),
    ...(options.error !== undefined && { error: options.error }),
    ...(options.reopen === true && { reopen: true }),
  };
}

function summaryOf({ summary, summaryFile }: PatchOptions, cwd: string): string | undefined {
  if (summaryFile === undefined) return summary;
  if (summary !== undefined)
    throw new CliError("--summary and --summary-file exclude each other", { exitCode: EXIT.usage });
  try {
    // 0 is the descriptor of stdin.
    return readFileSync(summaryFile === "-" ? 0 : resolve(cwd, summaryFile), "utf8").trim();
  } catch (error) {
    const why = error instanceof Error ? error.message : "it failed";
    throw new CliError(`the summary cannot be read: ${why}`, { exitCode: EXIT.usage });
  }
}
