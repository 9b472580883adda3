import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Alternative } from "./alternatives.ts";
import { installAlternatives, type Skipped } from "./install-alternatives.ts";

const VARIABLE = "CHECKPOINT_BENCH_ALTERNATIVES";

/** What a run finds installed. */
export interface Installed {
  readonly folder: string;
  readonly skipped: readonly Skipped[];
  /** Whether nothing that the run starts can reach a network. */
  readonly isOffline: boolean;
}

/** What was installed for this run; null if it is the outer one. */
export function installedAlternatives(env: NodeJS.ProcessEnv): Installed | null {
  const text = env[VARIABLE];
  return text === undefined ? null : (JSON.parse(text) as Installed);
}

/** Installs alternatives into a temporary folder and starts this program again, without a network if possible. */
export function rerunWithAlternatives(alternatives: readonly Alternative[]): number {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-bench-npm-"));
  try {
    console.error("Installing the alternatives into a temporary folder");
    const skipped = installAlternatives(folder, [...new Set(alternatives)]);
    const offline = wordsWithoutNetwork();
    const installed: Installed = { folder, skipped, isOffline: offline.length > 0 };
    const [program = "", ...args] = [...offline, process.execPath, ...process.argv.slice(1)];
    const env = { ...process.env, [VARIABLE]: JSON.stringify(installed) };
    // Both get the signal; the inner one removes its own files, and then this one does.
    process.on("SIGINT", () => undefined);
    return spawnSync(program, args, { stdio: "inherit", env }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The words before a command that take the network from it; none if this system has no such command. */
function wordsWithoutNetwork(): readonly string[] {
  const words = ["--map-root-user", "--net"];
  return spawnSync("unshare", [...words, "true"], { stdio: "ignore" }).status === 0 ? ["unshare", ...words] : [];
}
