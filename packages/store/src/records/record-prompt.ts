import type { AgentName } from "@agent-checkpoint/transcript";
import type { Connection } from "../sqlite/connection.ts";
import type { Baseline } from "./session.ts";
import { prepareUpsertSession } from "./upsert-session.ts";

/** A prompt of the human. */
export interface Prompt {
  readonly agent: AgentName;
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly transcriptPath: string | null;
  /** The turn it opens, where the agent names it. */
  readonly turn: string | null;
  readonly at: Date;
  /** The files that were changed before the session did anything: kept from its first prompt, passed over later. */
  readonly baseline?: Baseline | undefined;
}

/** Notes that the human spoke: a turn begins and may be blocked again. A prompt that the session knows begins none. */
export function recordPrompt(connection: Connection, prompt: Prompt): void {
  connection.immediately(prepareRecordPrompt(connection, prompt));
}

/** The same, to be run later, in a transaction; run, it says whether the prompt was new. */
export function prepareRecordPrompt(connection: Connection, prompt: Prompt): () => boolean {
  const { agent, sessionId, projectPath, transcriptPath, turn, at, baseline } = prompt;
  const upsert = prepareUpsertSession(
    connection,
    { agent, sessionId, at },
    {
      ...(projectPath !== null && { project_path: projectPath }),
      ...(transcriptPath !== null && { transcript_path: transcriptPath }),
      last_message_sent_at: at.getTime(),
      last_checkpoint_at: null,
      current_turn: turn,
    },
    ["last_message_sent_at", "current_turn"],
  );
  if (baseline === undefined) return () => upsert() > 0;
  const ensureRow = prepareUpsertSession(connection, { agent, sessionId, at }, {});
  const setBaseline = connection.prepareRun(
    `UPDATE sessions SET baseline = ?
     WHERE agent = ? AND session_id = ? AND last_message_sent_at IS NULL AND last_stop_at IS NULL`,
    [JSON.stringify(baseline), agent, sessionId],
  );
  return () => {
    ensureRow();
    setBaseline();
    return upsert() > 0;
  };
}
