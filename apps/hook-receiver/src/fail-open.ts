import { checkpointHome } from "@agent-checkpoint/files";
import { appendLog } from "@agent-checkpoint/store/log";

/** Reports what nobody expected and lets the agent go; cannot throw itself. */
export function failOpen(env: NodeJS.ProcessEnv, error: unknown): void {
  try {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    appendLog(checkpointHome(env), { level: "error", event: "failed-open", detail });
  } catch {
    // The stop passes anyway.
  }
}
