import { spawnSync } from "node:child_process";

const TIMEOUT_MS = 5000;
const MAX_BYTES = 64 * 1024 * 1024;

/** The paths that git tracks under a folder; if it tracks none yet, those it would. None if git gives no answer. */
export function listTracked(root: string): readonly string[] {
  const tracked = listFiles(root, []);
  return tracked.length > 0 ? tracked : listFiles(root, ["--others", "--exclude-standard"]);
}

function listFiles(root: string, options: readonly string[]): readonly string[] {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  const { status, stdout } = spawnSync("git", ["-c", "core.fsmonitor=false", "ls-files", "-z", ...options], {
    cwd: root,
    env: { ...env, GIT_OPTIONAL_LOCKS: "0" },
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
    maxBuffer: MAX_BYTES,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return status === 0 ? stdout.toString("utf8").split("\0").slice(0, -1) : [];
}
