import { homedir } from "node:os";
import { join } from "node:path";

/** The folder, outside the clone, that keeps installed CLIs and the folders of runs in progress. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return (
    env["AGENT_CHECKPOINT_E2E_CACHE"] ||
    join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "agent-checkpoint-e2e")
  );
}
