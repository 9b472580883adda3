import type { Stats } from "node:fs";
import { explainText, isSameText } from "./explain-text.ts";
import type { WrittenFile } from "./session-writes.ts";

/** What is known of a changed file that a session wrote to. */
export interface FileFacts {
  readonly written: WrittenFile;
  readonly committed: string | null;
  readonly live: string | null;
  /** What is staged, where that is neither what was committed nor what is on disk; null otherwise. */
  readonly staged: string | null;
  /** The file's own dates; null where it is gone. */
  readonly stats: Pick<Stats, "mtimeMs"> | null;
  /** Whether it was changed already when the session began; null where nobody noted that. */
  readonly wasDirty: boolean | null;
}

/** Why a file is not the agent's alone. */
export type NotOwn = "mixed" | "staged" | "unverified";

/** Whether what changed in a file is the agent's alone; null where it is. */
export function judgeFile(facts: FileFacts): NotOwn | null {
  const { written, committed, live, staged } = facts;
  const explained = explainText({ ...written, committed, live });
  if (explained.isOwn) {
    const isOwnStage = staged === null || explained.states.some((state) => isSameText(state, staged));
    return isOwnStage ? null : "staged";
  }
  if (staged !== null) return "staged";
  if (written.edits.at(-1)?.kind !== "unknown") return "mixed";
  return judgeByTime(facts);
}

/** Of a file that a command changed nobody has the text; its date must lie within that command, and it must have been clean before. */
function judgeByTime({ written: { lastAt, nextAt }, committed, live, stats, wasDirty }: FileFacts): NotOwn | null {
  if (wasDirty === true) return "mixed";
  if (live === null) return null;
  // A file that is not committed and was not there before is the command's own.
  if (wasDirty === null && committed !== null) return "unverified";
  if (lastAt === null || stats === null) return "unverified";
  const isAfter = stats.mtimeMs >= lastAt.getTime() - CLOCK_SLACK_MS;
  const isBefore = nextAt === null || stats.mtimeMs <= nextAt.getTime() + CLOCK_SLACK_MS;
  return isAfter && isBefore ? null : "mixed";
}

/** A call is written down a moment before or after it runs. */
const CLOCK_SLACK_MS = 1000;
