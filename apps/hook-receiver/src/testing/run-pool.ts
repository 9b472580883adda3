import { spawn } from "node:child_process";
import type { HookAnswer } from "./hook-process.ts";

/** A command, and a file that is its stdin. */
export interface PoolJob {
  readonly command: readonly [string, ...string[]];
  readonly stdin?: string;
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What a command came to, and how long it took from its start to its end. */
export interface PoolResult extends HookAnswer {
  readonly ms: number;
}

/** Runs commands, so many of them at once until none is left, and gives their results in the order of the jobs. */
export async function runPool(jobs: readonly PoolJob[], atOnce: number): Promise<readonly PoolResult[]> {
  const results: PoolResult[] = [];
  const waiting = jobs.entries();
  const work = async () => {
    for (const [index, job] of waiting) results[index] = await run(job);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** Started by a shell that opens stdin, so that the parent has nothing to feed. */
function run({ command, stdin = "/dev/null", cwd = "/", env }: PoolJob): Promise<PoolResult> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn("sh", ["-c", 'stdin=$1; shift; exec "$@" < "$stdin"', "sh", stdin, ...command], { cwd, env });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ stdout, stderr, exitCode: code ?? undefined, ms: performance.now() - start }),
    );
  });
}

/** The value below which so many percent of the values lie. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
