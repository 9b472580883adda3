import { spawnSync } from "node:child_process";
import { cpus, totalmem } from "node:os";

/** What the figures of a run depend on besides the code. */
export interface Conditions {
  readonly at: string;
  readonly node: string;
  readonly git: string;
  readonly jq: string | null;
  readonly system: string;
  readonly processor: string;
  readonly processors: number;
  readonly memoryGb: number;
}

/** The machine and the programs of this run. */
export function conditions(): Conditions {
  return {
    at: new Date().toISOString(),
    node: process.version,
    git: versionOf("git") ?? "missing",
    jq: versionOf("jq"),
    system: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model ?? "unknown",
    processors: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
  };
}

/** The version that a program reports; null if it is missing. */
function versionOf(program: string): string | null {
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}
