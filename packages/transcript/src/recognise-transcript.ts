import { FORMATS } from "./formats/registry.ts";
import { withRegularFile } from "./read/open-regular-file.ts";
import type { AgentName, Recognition } from "./types.ts";

/** Tells whose transcript a file is and of which session, from its first lines, whatever its name. */
export const recogniseTranscript = (path: string): Recognition => {
  const reading = withRegularFile(path, (file): Recognition => {
    if (file.size === 0) return { status: "refused", reason: "empty" };
    for (const agentName of AGENTS) {
      const session = FORMATS[agentName].readSession({ path, file });
      if (session !== null) return { status: "read", agentName, ...session };
    }
    return { status: "refused", reason: "not-a-transcript" };
  });
  return reading.status === "read" ? reading.value : reading;
};

// Codex and Gemini CLI tell in the first line; what tells Claude Code may come much later.
const AGENTS: readonly AgentName[] = ["codex", "gemini", "claude"];
