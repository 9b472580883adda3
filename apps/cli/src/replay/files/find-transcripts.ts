import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** A file that may be a transcript. */
export interface TranscriptFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Whether the user named the file itself, not only a folder above it. */
  readonly isNamed: boolean;
}

/** The files that were found, and the names that do not exist. */
export interface FoundTranscripts {
  readonly files: readonly TranscriptFile[];
  readonly failed: readonly FailedFile[];
}

/** A file that could not be replayed, and why. */
export interface FailedFile {
  readonly path: string;
  readonly reason: string;
}

/** Finds the files under these names that may be transcripts, the last written first; each file once. */
export function findTranscripts(names: readonly string[], cwd: string): FoundTranscripts {
  const files = new Map<string, TranscriptFile>();
  const failed: FailedFile[] = [];
  for (const name of names) {
    const path = resolve(cwd, name);
    const stats = statsOf(path);
    if (stats === null) failed.push({ path, reason: "missing" });
    else if (stats.isDirectory()) for (const file of filesBelow(path)) add(files, file, false);
    else add(files, path, true);
  }
  return { files: [...files.values()].toSorted(newestFirst), failed };
}

function add(files: Map<string, TranscriptFile>, path: string, isNamed: boolean): void {
  const stats = statsOf(path);
  if (stats === null || (!isNamed && !stats.isFile())) return;
  const real = realPathOf(path);
  if (isNamed || !files.has(real)) files.set(real, { path, size: stats.size, mtimeMs: stats.mtimeMs, isNamed });
}

function* filesBelow(folder: string): Generator<string, void, undefined> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!NOT_SESSIONS.has(entry.name)) yield* filesBelow(path);
    } else if (MAY_BE_TRANSCRIPT.test(entry.name) && !SUB_AGENT.test(entry.name)) {
      yield path;
    }
  }
}

/** Folders with the work of sub-agents, which belongs to the session that started them, or with libraries. */
const NOT_SESSIONS: ReadonlySet<string> = new Set(["subagents", "node_modules", ".git"]);

const MAY_BE_TRANSCRIPT = /\.jsonl?$/;
const SUB_AGENT = /^agent-.*\.jsonl$|\.meta\.json$/;

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function statsOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function newestFirst(one: TranscriptFile, other: TranscriptFile): number {
  return other.mtimeMs - one.mtimeMs || (one.path < other.path ? -1 : 1);
}
