import { FORMATS } from "./formats/registry.ts";
import { withRegularFile } from "./read/files.ts";
import { LAST_LINES } from "./read/backwards.ts";
import type { AgentName } from "./formats/agent-names.ts";
import type { ContextUsage } from "./types.ts";

/** How full the model's context is, as the agent itself last reported it. */
export function readContextUsage(transcriptPath: string, agentName: AgentName): ContextUsage {
  const reading = withRegularFile(transcriptPath, (file): ContextUsage =>
    file.size === 0
      ? { status: "unknown", reason: "empty" }
      : FORMATS[agentName].readContextUsage({ path: transcriptPath, file: { ...file, firstBlock: LAST_LINES } }),
  );
  return reading.status === "read" ? reading.value : { status: "unknown", reason: reading.reason };
}
