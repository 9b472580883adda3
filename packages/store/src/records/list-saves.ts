import type { AgentName } from "@agent-checkpoint/transcript";
import type { QueryConnection } from "../sqlite/connection.ts";
import { type StoredSave, toSave } from "./save.ts";

/** Which saves are wanted; all of them unless narrowed. */
export interface SaveFilter {
  readonly agent?: AgentName | undefined;
  readonly sessionId?: string | undefined;
  /** The project's folder; agents that were started in a folder of it count as well. */
  readonly projectPath?: string | undefined;
  /** The earliest time, itself included. */
  readonly since?: Date | undefined;
  readonly limit?: number | undefined;
}

/** The saves that match, newest first. */
export function listSaves(
  { queries, prepareQuery }: QueryConnection,
  { agent, sessionId, projectPath, since, limit }: SaveFilter = {},
): StoredSave[] {
  let saves = queries.selectFrom("saves").selectAll().orderBy("saved_at", "desc").orderBy("id", "desc");
  if (agent !== undefined) saves = saves.where("agent", "=", agent);
  if (sessionId !== undefined) saves = saves.where("session_id", "=", sessionId);
  if (projectPath !== undefined)
    saves = saves.where((column) =>
      column.or([
        column("project_path", "=", projectPath),
        // Everything that begins with the folder and a slash: `0` is the character after it.
        column.and([column("project_path", ">=", `${projectPath}/`), column("project_path", "<", `${projectPath}0`)]),
      ]),
    );
  if (since !== undefined) saves = saves.where("saved_at", ">=", since.getTime());
  if (limit !== undefined) saves = saves.limit(limit);
  return prepareQuery(saves)().map(toSave);
}
