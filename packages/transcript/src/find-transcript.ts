import { AGENT_NAMES, type AgentName } from "./formats/agent-names.ts";
import type { TranscriptQuery } from "./formats/format.ts";
import { FORMATS } from "./formats/registry.ts";
import { withRegularFile } from "./read/files.ts";
import type { NoDataReason, Session } from "./types.ts";

/** Finds the transcript of a session in its agent's folders; null if there is none. */
export function findTranscript(query: TranscriptQuery): string | null {
  // The id becomes part of a path, so anything but an id is refused.
  return /^[\w-]+$/.test(query.sessionId) ? FORMATS[query.agentName].findTranscript(query) : null;
}

/** The agent and session that a transcript belongs to. */
export type Recognition =
  | ({ readonly status: "read"; readonly agentName: AgentName } & Session)
  | { readonly status: "refused"; readonly reason: NoDataReason };

/** Recognises the agent and session of a transcript by its first lines, whatever its name. */
export function recogniseTranscript(path: string): Recognition {
  const reading = withRegularFile(path, (file): Recognition => {
    if (file.size === 0) return { status: "refused", reason: "empty" };
    // The line that identifies Claude Code, the first in the list, may come late in the file; all others are recognised by their first line.
    for (const agentName of AGENT_NAMES.toReversed()) {
      const session = FORMATS[agentName].readSession({ path, file });
      if (session !== null) return { status: "read", agentName, ...session };
    }
    return { status: "refused", reason: "not-a-transcript" };
  });
  return reading.status === "read" ? reading.value : reading;
}
