import { readdirSync } from "node:fs";
import { join } from "node:path";
import { statOrNull } from "./stat-or-null.ts";

/** A rollout as the file system knows it. */
export interface RolloutFile {
  readonly path: string;
  readonly size: number;
  readonly inode: number;
}

/** Whether a name is that of a rollout; compressed ones are no longer written to. */
export const isRolloutName = (name: string): boolean => /^rollout-.+\.jsonl$/.test(name);

/** Whether a path below the sessions' folder is a year's, a month's or a day's; the sessions' own is the empty one. */
export const isDatePath = (relative: string): boolean => /^(?:\d{4}(?:[\\/]\d\d){0,2})?$/.test(relative);

/** Whether a path below the sessions' folder is a day's. */
export const isDayPath = (relative: string): boolean => /^\d{4}[\\/]\d\d[\\/]\d\d$/.test(relative);

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

const listDates = (folder: string, name: RegExp): readonly string[] =>
  listNames(folder)
    .filter((entry) => name.test(entry))
    .map((entry) => join(folder, entry));

/** The names in a folder; none where it is missing, no folder, or closed to us. */
const listNames = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
