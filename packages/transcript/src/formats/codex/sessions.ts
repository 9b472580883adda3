import { join } from "node:path";
import type { Format } from "../format.ts";
import { homeOf, listFolder, variableOf } from "../../read/files.ts";
import { readHead } from "../../read/forwards.ts";
import { isObject, type JsonObject, objectAt, textAt } from "../../read/json.ts";

/** Finds the rollout of a session below `$CODEX_HOME/sessions`, or among the archived ones. */
export const findTranscript: Format["findTranscript"] = (query) => {
  const root = variableOf(query, "CODEX_HOME") ?? join(homeOf(query), ".codex");
  const sessions = join(root, "sessions");
  return findRollout(sessions, query.sessionId) ?? rolloutIn(join(root, "archived_sessions"), query.sessionId);
};

/**
 * Finds the rollout of a thread in folders by year, month and day.
 *
 * The folder is that of the thread's first day in local time: the id gives the day but for the time
 * zone. Ids without a time are looked for in all folders, the newest first.
 */
export function findRollout(sessions: string, threadId: string): string | null {
  for (const folder of [...likelyFolders(threadId), ...allFolders(sessions)]) {
    const found = rolloutIn(join(sessions, folder), threadId);
    if (found !== null) return found;
  }
  return null;
}

/** Finds the rollout of a thread in a folder. */
export function rolloutIn(folder: string, threadId: string): string | null {
  const name = listFolder(folder).find((file) => file.startsWith("rollout-") && file.endsWith(`-${threadId}.jsonl`));
  return name === undefined ? null : join(folder, name);
}

const DAY = 24 * 60 * 60 * 1000;

function likelyFolders(threadId: string): readonly string[] {
  const created = timeOfId(threadId);
  if (created === null) return [];
  return [0, -DAY, DAY].map((shift) => new Date(created + shift).toISOString().slice(0, 10).replaceAll("-", "/"));
}

/** A version 7 UUID begins with its creation time in milliseconds. */
function timeOfId(id: string): number | null {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(id) ?? [];
  return high === undefined || low === undefined ? null : Number.parseInt(high + low, 16);
}

function* allFolders(sessions: string): Generator<string, void, undefined> {
  for (const year of newestFirst(sessions)) {
    for (const month of newestFirst(join(sessions, year))) {
      for (const day of newestFirst(join(sessions, year, month))) yield join(year, month, day);
    }
  }
}

function newestFirst(folder: string): readonly string[] {
  return listFolder(folder)
    .filter((name) => /^\d+$/.test(name))
    .toSorted()
    .toReversed();
}

/**
 * Reads which session a Codex rollout belongs to: the first `session_meta` is the file's own, the oldest files have a bare
 * one.
 */
export const readSession: Format["readSession"] = ({ file }) => {
  for (const { value: line } of readHead(file)) {
    const meta =
      line["type"] === "session_meta"
        ? objectAt(line, "payload")
        : "instructions" in line && "id" in line
          ? line
          : null;
    if (meta === null) return null;
    return { sessionId: textAt(meta, "id"), projectPath: textAt(meta, "cwd"), isSubAgent: isSubAgent(meta) };
  }
  return null;
};

/** Whether the first line of a rollout says that another agent started its session. */
export function isSubAgent({ source, thread_source, parent_thread_id }: JsonObject): boolean {
  return (
    (isObject(source) && "subagent" in source) || thread_source === "subagent" || typeof parent_thread_id === "string"
  );
}
