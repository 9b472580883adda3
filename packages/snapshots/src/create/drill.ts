import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import type { Capture, Kind } from "../kinds/kind.ts";
import { hashEntries } from "../manifest/canonical-stream.ts";
import type { Entry } from "../manifest/entry.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { type BytePath, parentOf } from "../paths/byte-path.ts";
import type { ReportProgress } from "../progress.ts";
import type { Contents } from "../store/contents.ts";
import { SafetyError } from "../trouble.ts";

export interface DrillOptions {
  readonly kind: Kind;
  /** A folder for it, if there is no room in memory. */
  readonly beside: string;
  readonly capture: Capture;
  readonly contents: Contents;
  readonly progress: ReportProgress;
}

/**
 * Proves that a checkpoint can be brought back: into a folder of its own, by the code of a restore, compared by hash.
 * What an earlier drill has proven, or a commit of the user's vouches for, is not written out.
 */
export async function drill({ kind, beside, capture, contents, progress }: DrillOptions): Promise<Manifest["drill"]> {
  const { entries, unread } = capture;
  const fresh = unread.size === 0 ? entries : unproven(entries, unread);
  const folder = createDrillFolder(fresh, beside);
  try {
    const result = await kind.drill({ folder, entries: fresh, contents, progress });
    if (hashEntries(result) !== hashEntries(fresh))
      throw new SafetyError("mismatch", "The drill brought back something else than was captured.");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { entries: fresh.length, provenBefore: entries.length - fresh.length };
}

/** What was read, and the folders on the way to it. */
function unproven(entries: readonly Entry[], unread: ReadonlySet<BytePath>): readonly Entry[] {
  const read = entries.filter(({ path, type }) => type !== "directory" && !unread.has(path));
  const folders = new Set<BytePath>();
  for (const { path } of read)
    for (let folder = parentOf(path); folder !== "" && !folders.has(folder); folder = parentOf(folder))
      folders.add(folder);
  return entries.filter(({ path, type }) => (type === "directory" ? folders.has(path) : !unread.has(path)));
}

/** A new folder for a drill: in memory if it is small, otherwise beside the store, which has enough room. */
function createDrillFolder(entries: readonly Entry[], beside: string): string {
  const bytes = entries.reduce((sum, { size }) => sum + size + 4096, 0);
  if (bytes <= SMALL && hasRoomInMemory(bytes)) return mkdtempSync(join(MEMORY, "checkpoint-drill-"));
  mkdirSync(beside, { mode: 0o700 });
  return beside;
}

const MEMORY = "/dev/shm";
const SMALL = 64 * 1024 * 1024;

function hasRoomInMemory(bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return process.platform === "linux" && bavail * bsize > bytes * 4;
  } catch {
    return false;
  }
}
