import { checkpointHome } from "@agent-checkpoint/files";
import { appendLog } from "@agent-checkpoint/store/files";

/** Writes one line to the log where the program cannot even start; nothing on stdout, so the agent goes on. */
export function reportAtStart(env: NodeJS.ProcessEnv, event: string, detail: string): void {
  try {
    appendLog(checkpointHome(env), { level: "error", event, detail });
  } catch {
    // Without a log there is nobody left to tell; the stop passes all the same.
  }
}
