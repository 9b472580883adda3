import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { CheckpointError, isRecord } from "@agent-checkpoint/handoff";
import { errorCode } from "../files/error-code.ts";
import { uniqueToken } from "../files/unique-token.ts";
import { isGone, type Owner, thisProcess } from "./owner.ts";
import { sleep } from "./sleep.ts";

/** A lock that is held. */
export interface Lock {
  /** Throws if another process has taken the lock for left behind. */
  readonly assertHeld: () => void;
}

/**
 * Does the work while no other process does such work on the same file.
 *
 * The lock is a folder with one file in it, whose name no other owner has. It is put in place whole by a rename, which the
 * system refuses while a folder with a file is there. Whoever finds an owner gone deletes that owner's file by its name, so
 * two that come at once cannot take a fresh lock for the old one: they find an empty folder, and one rename wins.
 */
export function withLock<Result>(path: string, timeoutMs: number, work: (lock: Lock) => Result): Result {
  const folder = `${path}.lock`;
  const mark = join(folder, acquire(path, folder, performance.now() + timeoutMs));
  try {
    return work({
      assertHeld: () => {
        if (!existsSync(mark)) throw new CheckpointError("locked", `${basename(folder)} was taken by another process`);
      },
    });
  } finally {
    release(mark, folder);
  }
}

/** Gives the lock back; where that fails it lasts as long as the process, and the work is done all the same. */
function release(mark: string, folder: string): void {
  try {
    rmSync(mark, { force: true });
  } catch {
    return;
  }
  removeIfEmpty(folder);
}

/** Waits for the lock and gives the name of the file that marks it as ours. */
function acquire(path: string, folder: string, deadline: number): string {
  const token = uniqueToken();
  const draft = `${path}.${token}.tmp`;
  const mark = `owner-${token}`;
  mkdirSync(draft);
  try {
    writeFileSync(join(draft, mark), JSON.stringify(thisProcess()));
    for (let pause = 1; !tryRename(draft, folder); pause = Math.min(pause * 2, 16)) {
      const owner = removeGoneOwner(folder);
      if (performance.now() > deadline)
        throw new CheckpointError(
          "locked",
          `${basename(folder)} is held by ${owner ?? "another process"}: try again later`,
        );
      sleep(Math.random() * pause);
    }
    return mark;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** What a rename says where somebody has the lock; the last two are Windows' words. */
const HELD: ReadonlySet<string> = new Set(["ENOTEMPTY", "EEXIST", "EPERM", "EACCES"]);

function tryRename(draft: string, folder: string): boolean {
  try {
    renameSync(draft, folder);
    return true;
  } catch (error) {
    if (HELD.has(errorCode(error) ?? "")) return false;
    throw error;
  }
}

/** Frees a lock whose owner is gone; otherwise gives the owner in words. */
function removeGoneOwner(folder: string): string | null {
  for (const name of namesIn(folder)) {
    const mark = join(folder, name);
    const stats = lstatSync(mark, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const owner = readOwner(mark);
    if (!isGone(owner, Date.now() - stats.mtimeMs)) return `process ${owner.pid}`;
    rmSync(mark, { force: true });
  }
  removeIfEmpty(folder);
  return null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

const UNKNOWN: Owner = { pid: 0, host: "", started: null };

/** Who holds the lock; a mark that a crash of the machine has spoiled is nobody's, and grows old. */
function readOwner(mark: string): Owner {
  try {
    const value: unknown = JSON.parse(readFileSync(mark, "utf8"));
    if (!isRecord(value)) return UNKNOWN;
    const { pid, host, started } = value;
    if (typeof pid !== "number" || typeof host !== "string") return UNKNOWN;
    return { pid, host, started: typeof started === "string" ? started : null };
  } catch {
    return UNKNOWN;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else has the lock already, or has removed the folder.
  }
}
