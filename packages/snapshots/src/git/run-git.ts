import { type GitResult, type GitRunOptions, runGit as run } from "@agent-checkpoint/git";

export type { GitResult } from "@agent-checkpoint/git";

export interface GitOptions extends GitRunOptions {
  /** Whether the exit code 1 is an answer: that nothing was found. */
  readonly isNothingOk?: boolean;
}

/** That a file has not changed is concluded from all that the disk says of it. */
const SETTINGS = ["core.checkStat=default", "core.trustctime=true", "core.ignoreStat=false"];

/** Runs git as snapshots need it: with time for large trees, output of any length, and no belief in stale dates. */
export async function runGit(
  args: readonly string[],
  { isNothingOk = false, ...options }: GitOptions,
): Promise<GitResult> {
  const result = await run(args, { timeoutMs: 60_000, maxBytes: Infinity, settings: SETTINGS, ...options });
  if (result.ok || !isNothingOk || result.exitCode !== 1) return result;
  return { ok: true, stdout: Buffer.alloc(0) };
}
