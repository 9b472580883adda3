import type { AgentName } from "@agent-checkpoint/transcript";
import type { Insertable, Selectable } from "kysely";
import type { SaveTable } from "../sqlite/database.ts";
import { parseRecord, parseStrings } from "./parse-json.ts";

/** One time that a session's work was saved, or was to be. */
export interface Save {
  readonly agent: AgentName;
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly at: Date;
  readonly trigger: SaveTable["trigger"];
  /** What came of it: `committed`, `refused:protected-branch`, `failed:commit` and the like. */
  readonly outcome: string;
  /** How full the context was; null where nobody knew. */
  readonly percent: number | null;
  readonly commit: string | null;
  /** The safety checkpoint that was taken first. */
  readonly checkpoint: string | null;
  /** The files in the commit. */
  readonly files: readonly string[];
  /** The files that are not in it, each with the reason. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** The text of the status document's section. */
  readonly section: string | null;
  readonly detail: string | null;
  readonly durationMs: number;
}

/** A save as it is in the store. */
export interface StoredSave extends Save {
  readonly id: number;
}

/** A save as the table holds it. */
export function toSaveRow(save: Save): Insertable<SaveTable> {
  return {
    agent: save.agent,
    session_id: save.sessionId,
    project_path: save.projectPath,
    saved_at: save.at.getTime(),
    trigger: save.trigger,
    outcome: save.outcome,
    percent: save.percent,
    commit_id: save.commit,
    checkpoint_id: save.checkpoint,
    files: JSON.stringify(save.files),
    left_out: JSON.stringify(save.leftOut),
    section: save.section,
    detail: save.detail,
    duration_ms: Math.round(save.durationMs),
  };
}

/** A row in the terms of the API. */
export function toSave(row: Selectable<SaveTable>): StoredSave {
  return {
    id: row.id,
    agent: row.agent,
    sessionId: row.session_id,
    projectPath: row.project_path,
    at: new Date(row.saved_at),
    trigger: row.trigger,
    outcome: row.outcome,
    percent: row.percent,
    commit: row.commit_id,
    checkpoint: row.checkpoint_id,
    files: parseStrings(row.files),
    leftOut: parseRecord(row.left_out) ?? {},
    section: row.section,
    detail: row.detail,
    durationMs: row.duration_ms,
  };
}
