import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { errorCode } from "../files/error-code.ts";

/** The process that holds a lock. */
export interface Owner {
  readonly pid: number;
  /** The machine, and the container where process ids are a container's own. */
  readonly host: string;
  /** When the process began, as the system counts; null where it does not say. */
  readonly started: string | null;
}

/** How long a lock may be held by a process of which nothing is known; a save takes milliseconds. */
const OLD_MS = 60_000;

/** This process. */
export function thisProcess(): Owner {
  return { pid: process.pid, host: thisHost(), started: startOf(process.pid) };
}

/** Whether a lock that was taken so long ago is left from a process that is gone. */
export function isGone({ pid, host, started }: Owner, ageMs: number): boolean {
  if (host !== thisHost()) return ageMs > OLD_MS;
  if (!isRunning(pid)) return true;
  const running = startOf(pid);
  // Another process may have got the number; one that is certainly the owner keeps the lock however long it takes.
  return started === null || running === null ? ageMs > OLD_MS : started !== running;
}

function thisHost(): string {
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

/** The 22nd field of the process's line; the second is a name in brackets that may hold anything. */
function startOf(pid: number): string | null {
  const line = readOrNull(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return line?.slice(line.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function readOrNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
