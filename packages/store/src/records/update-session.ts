import type { AgentName } from "@agent-checkpoint/transcript";
import type { Connection } from "../sqlite/connection.ts";
import { contextMarkToJson } from "./context-mark.ts";
import { prepareGetSession } from "./get-session.ts";
import type { Session } from "./session.ts";
import { prepareUpsertSession, type SessionValues } from "./upsert-session.ts";

/** What may be set in a session; what is not given stays as it is. */
export type SessionChanges = {
  readonly [
    Field in
      | "projectPath"
      | "transcriptPath"
      | "workingSlug"
      | "lastMessageSentAt"
      | "currentTurn"
      | "readUpTo"
      | "baseline"
      | "touchedFiles"
      | "route"
      | "contextMark"
  ]?: Session[Field] | undefined;
};

/** Sets what is given and leaves the rest; touched files are added to those known. */
export function updateSession(
  connection: Connection,
  agent: AgentName,
  sessionId: string,
  changes: SessionChanges,
): void {
  const sighting = { agent, sessionId, at: connection.now() };
  const values = toValues(changes);
  const { touchedFiles = [] } = changes;
  if (touchedFiles.length === 0) {
    prepareUpsertSession(connection, sighting, values)();
    return;
  }
  const find = prepareGetSession(connection, agent, sessionId);
  connection.immediately(() => {
    const ledger = extended(find()?.touchedFiles ?? [], touchedFiles);
    prepareUpsertSession(connection, sighting, { ...values, touched_files: JSON.stringify(ledger) })();
  });
}

function toValues(changes: SessionChanges): SessionValues {
  const { projectPath, transcriptPath, workingSlug, lastMessageSentAt, currentTurn, readUpTo, baseline, route } =
    changes;
  const { contextMark } = changes;
  return {
    ...(projectPath !== undefined && { project_path: projectPath }),
    ...(transcriptPath !== undefined && { transcript_path: transcriptPath }),
    ...(workingSlug !== undefined && { working_slug: workingSlug }),
    ...(lastMessageSentAt !== undefined && { last_message_sent_at: lastMessageSentAt?.getTime() ?? null }),
    ...(currentTurn !== undefined && { current_turn: currentTurn }),
    ...(readUpTo !== undefined && { read_up_to: readUpTo }),
    ...(route !== undefined && { route }),
    ...(baseline !== undefined && { baseline: baseline && JSON.stringify(baseline) }),
    ...(contextMark !== undefined && { context_mark: contextMark && contextMarkToJson(contextMark) }),
  };
}

const MAX_TOUCHED_FILES = 5000;

/** The ledger with files added at its end, the oldest dropped where it grows too long. */
function extended(known: readonly string[], added: readonly string[]): string[] {
  const files = new Set(known);
  for (const file of added) {
    files.delete(file);
    files.add(file);
  }
  return [...files].slice(-MAX_TOUCHED_FILES);
}
