import { namesIn, readTrackedNames, runGitSync } from "@agent-checkpoint/git";

const TIMEOUT_MS = 5000;

/** The paths that git tracks under a folder; if it tracks none yet, those it would. None if git gives no answer. */
export function listTracked(root: string): readonly string[] {
  const tracked = readTrackedNames(root).list();
  if (tracked.length > 0) return tracked;
  const others = runGitSync(["ls-files", "-z", "--others", "--exclude-standard"], { cwd: root, timeoutMs: TIMEOUT_MS });
  return others.ok ? namesIn(others.stdout) : [];
}
