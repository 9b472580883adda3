import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { errorCode, isRecord } from "./unknown-values.ts";

/** A process that holds a lock. */
export interface Owner {
  readonly pid: number;
  /** The machine, and the container if process ids are a container's own. */
  readonly host: string;
  /**
   * When the process started, as the system reports it: distinguishes it from a later process with the same number. Null if
   * unknown.
   */
  readonly started: string | null;
}

/** The owner of a lock, and since when it has held it. */
export interface LockOwner extends Owner {
  readonly since: Date;
}

/** This process. */
export function thisProcess(): Owner {
  return { pid: process.pid, host: thisHost(), started: startOf(process.pid) };
}

/** Whether a process is gone; one that cannot be checked counts as gone after `staleAfterMs`. */
export function isGone({ pid, host, started, since }: LockOwner, staleAfterMs: number): boolean {
  const isOld = Date.now() - since.getTime() > staleAfterMs;
  if (host !== thisHost()) return isOld;
  if (!isRunning(pid)) return true;
  const running = startOf(pid);
  // Another process may have got the same id; one that is certainly the owner keeps the lock however long it takes.
  return started === null || running === null ? isOld : started !== running;
}

/** Who on this machine holds the lock in a folder; null if no living process does. */
export function findLockOwner(folder: string): LockOwner | null {
  return readOwners(folder).find(({ owner }) => !isGone(owner, 0))?.owner ?? null;
}

/** The files that mark owners of a lock; one that a crash of the machine damaged names no process, and becomes stale. */
export function readOwners(folder: string): readonly { readonly mark: string; readonly owner: LockOwner }[] {
  return namesIn(folder).flatMap((name) => {
    const mark = join(folder, name);
    const stats = lstatSync(mark, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ mark, owner: { ...readOwner(mark), since: stats.mtime } }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return [];
    throw error;
  }
}

const UNKNOWN: Owner = { pid: 0, host: "", started: null };

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

function thisHost(): string {
  const { hostname } = process.getBuiltinModule("node:os");
  return `${hostname()} ${readOrNull(() => readlinkSync("/proc/self/ns/pid")) ?? ""}`.trim();
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/**
 * The 22nd field of the process's line in `/proc`, whose second is a name in brackets that may contain anything; else the
 * start time that `ps` prints.
 */
function startOf(pid: number): string | null {
  const line = readOrNull(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (line !== null) return line.slice(line.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  if (process.platform === "linux" || process.platform === "win32") return null;
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
    timeout: 2000,
  });
  return stdout?.trim() || null;
}

function readOrNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
