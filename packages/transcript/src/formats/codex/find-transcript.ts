import { join } from "node:path";
import { homeOf, listFolder, variableOf } from "../../read/files.ts";
import type { Format } from "../format.ts";

/** Finds the rollout of a session below `$CODEX_HOME/sessions`, or among the archived ones. */
export const findTranscript: Format["findTranscript"] = (query) => {
  const root = variableOf(query, "CODEX_HOME") ?? join(homeOf(query), ".codex");
  const sessions = join(root, "sessions");
  return findRollout(sessions, query.sessionId) ?? rolloutIn(join(root, "archived_sessions"), query.sessionId);
};

/**
 * Finds the rollout of a thread in folders by year, month and day.
 *
 * The folder is that of the thread's first day, by the clock of the machine: the id tells the day but for the time
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

/** A version 7 UUID begins with the milliseconds of its making. */
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
