import { readdirSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** A rollout as the file system knows it. */
export interface RolloutFile {
  readonly path: string;
  readonly size: number;
  readonly inode: number;
}

/** Whether a name is that of a rollout; compressed ones are no longer written to. */
export function isRolloutName(name: string): boolean {
  return /^rollout-.+\.jsonl$/.test(name);
}

/** Whether a path below the sessions' folder is a year's, a month's or a day's; the sessions' own is the empty one. */
export function isDatePath(relative: string): boolean {
  return /^(?:\d{4}(?:[\\/]\d\d){0,2})?$/.test(relative);
}

/** Whether a path below the sessions' folder is a day's. */
export function isDayPath(relative: string): boolean {
  return /^\d{4}[\\/]\d\d[\\/]\d\d$/.test(relative);
}

/** Lists the rollouts of all days. */
export function* listRollouts(sessions: string): Generator<RolloutFile, void, undefined> {
  for (const year of listDates(sessions, /^\d{4}$/)) {
    for (const month of listDates(year, /^\d\d$/)) {
      for (const day of listDates(month, /^\d\d$/)) yield* listDay(day);
    }
  }
}

/** Lists the rollouts of one day. */
export function* listDay(folder: string): Generator<RolloutFile, void, undefined> {
  for (const name of listNames(folder)) {
    if (!isRolloutName(name)) continue;
    const path = join(folder, name);
    const stats = statOrNull(path);
    if (stats?.isFile() === true) yield { path, size: stats.size, inode: stats.ino };
  }
}

function listDates(folder: string, name: RegExp): readonly string[] {
  return listNames(folder)
    .filter((entry) => name.test(entry))
    .map((entry) => join(folder, entry));
}

/** The names in a folder; none if it is missing, no folder, or closed to us. */
function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The file system's record of a path; null if it is missing or not accessible. */
export function statOrNull(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/** The folder below which Codex stores its rollouts, by year, month and day. */
export function sessionsFolder(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env["CODEX_HOME"] || join(env["HOME"] || homedir(), ".codex"), "sessions");
}
