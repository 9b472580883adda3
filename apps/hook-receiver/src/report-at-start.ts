import { appendFileSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Writes one line to the log before anything of ours is loaded; nothing on stdout, so the agent goes on. */
export function reportAtStart(env: NodeJS.ProcessEnv, event: string, detail: string): void {
  try {
    const state = env["XDG_STATE_HOME"] || join(homedir(), ".local", "state");
    const home = env["CHECKPOINT_HOME"] || join(state, "agent-checkpoint");
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const line = `${new Date().toISOString()} error ${event} detail=${JSON.stringify(detail)}\n`;
    appendFileSync(join(home, "checkpoint.log"), line, { mode: 0o600 });
  } catch {
    // Without a log there is nobody left to tell; the stop passes all the same.
  }
}
