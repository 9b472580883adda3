import { namesIn, runGitSync } from "@agent-checkpoint/git";

const TIMEOUT_MS = 5000;

/** The paths that git tracks under a folder; if it tracks none yet, those it would. None if git gives no answer. */
export function listTracked(root: string): readonly string[] {
  const tracked = listFiles(root, []);
  return tracked.length > 0 ? tracked : listFiles(root, ["--others", "--exclude-standard"]);
}

function listFiles(root: string, options: readonly string[]): readonly string[] {
  const listed = runGitSync(["ls-files", "-z", ...options], { cwd: root, timeoutMs: TIMEOUT_MS });
  return listed.ok ? namesIn(listed.stdout) : [];
}
