import { isRecord, parseJson } from "./parse-json.ts";

/** What a stop was judged on, so that it can be explained later: places and names, no text of the conversation. */
export interface StopTrail {
  readonly transcriptPath: string | null;
  /** Where the prompt that opened the turn stands in the transcript, in bytes; null where the turn was not read. */
  readonly turnStart: number | null;
  /** How many bytes the transcript had when it was read; null where it was not. */
  readonly readUpTo: number | null;
  readonly promptAt: Date | null;
  /** The first of the files that the verdict is about, relative to the repository; null where git could not tell or was not asked. */
  readonly changedFiles: readonly string[] | null;
  /** How many there were. */
  readonly changedFileCount: number | null;
  readonly workingSlug: string | null;
}

const MOST_FILES = 200;

/** A trail as the column holds it, with no more files than are worth keeping. */
export function trailToJson({ changedFiles, changedFileCount, promptAt, ...rest }: StopTrail): string {
  return JSON.stringify({
    ...rest,
    promptAt: promptAt?.getTime() ?? null,
    changedFiles: changedFiles?.slice(0, MOST_FILES) ?? null,
    changedFileCount: changedFileCount ?? changedFiles?.length ?? null,
  });
}

/** The trail in a column; null where there is none or somebody has spoiled it. */
export function parseTrail(text: string | null): StopTrail | null {
  const value = text === null ? null : parseJson(text);
  if (!isRecord(value)) return null;
  const { transcriptPath, turnStart, readUpTo, promptAt, changedFiles, changedFileCount, workingSlug } = value;
  return {
    transcriptPath: stringOrNull(transcriptPath),
    turnStart: numberOrNull(turnStart),
    readUpTo: numberOrNull(readUpTo),
    promptAt: typeof promptAt === "number" ? new Date(promptAt) : null,
    changedFiles: Array.isArray(changedFiles) ? changedFiles.filter((file) => typeof file === "string") : null,
    changedFileCount: numberOrNull(changedFileCount),
    workingSlug: stringOrNull(workingSlug),
  };
}

function stringOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
