import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { errorCode } from "../error-code.ts";

/** A process that holds something in a store. */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When the process started, so that a later one with its number is not taken for it; null where the system does not tell. */
  readonly startedAt: string | null;
}

/** This process. */
export function thisOwner(): Owner {
  return { pid: process.pid, host: hostname(), startedAt: startOf(process.pid) };
}

/** Whether an owner has certainly ended; one on another machine never has. */
export function hasEnded(owner: Owner): boolean {
  if (owner.host !== hostname()) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return errorCode(error) === "ESRCH";
  }
  const startedAt = startOf(owner.pid);
  return owner.startedAt !== null && startedAt !== null && startedAt !== owner.startedAt;
}

/** The owner that a text names; null where it names none. */
export function parseOwner(text: string): Owner | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("pid" in value) || !("host" in value)) return null;
    if (typeof value.pid !== "number" || typeof value.host !== "string") return null;
    const startedAt = "startedAt" in value && typeof value.startedAt === "string" ? value.startedAt : null;
    return { pid: value.pid, host: value.host, startedAt };
  } catch {
    return null;
  }
}

/** The 22nd field of `/proc/<pid>/stat`; the second is a name in brackets that may hold spaces. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
