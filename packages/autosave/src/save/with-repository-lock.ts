import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Does the work while no other save is at work in the same work tree; null where the lock was not to be had in time.
 *
 * The lock is a folder with one file in it, put in place whole by a rename, which the system refuses while a folder with a
 * file is there. Whoever finds its owner gone deletes that owner's file by name, so a fresh lock is never taken for an old one.
 */
export async function withRepositoryLock<Result>(
  folder: string,
  deadline: number,
  work: () => Promise<Result>,
): Promise<Result | null> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const token = `${process.pid}-${Date.now().toString(36)}-${Math.floor(Math.random() * 36 ** 6).toString(36)}`;
  const lock = join(folder, "lock");
  const draft = join(folder, `lock.${token}`);
  const mark = join(lock, `owner-${token}`);
  mkdirSync(draft);
  writeFileSync(join(draft, `owner-${token}`), JSON.stringify(owner(process.pid)));
  try {
    for (let pause = 10; !tryRename(draft, lock); pause = Math.min(pause * 2, 200)) {
      removeGoneOwners(lock);
      if (performance.now() >= deadline) return null;
      await sleep(pause * (0.5 + Math.random()));
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  try {
    return await work();
  } finally {
    rmSync(mark, { force: true });
    removeIfEmpty(lock);
  }
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly started: string | null;
}

function owner(pid: number): Owner {
  return { pid, host: `${hostname()} ${read(() => readlinkSync("/proc/self/ns/pid")) ?? ""}`, started: startOf(pid) };
}

/** A save takes seconds; one of a machine that cannot be asked is taken for gone after this. */
const OLD_MS = 10 * 60_000;

function removeGoneOwners(lock: string): void {
  for (const name of read(() => readdirSync(lock)) ?? []) {
    const mark = join(lock, name);
    const age = Date.now() - (lstatSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (
      isGone(
        read(() => JSON.parse(readFileSync(mark, "utf8")) as Partial<Owner>),
        age,
      )
    )
      rmSync(mark, { force: true });
  }
  removeIfEmpty(lock);
}

function isGone(held: Partial<Owner> | null, age: number): boolean {
  const here = owner(process.pid).host;
  if (typeof held?.pid !== "number" || held.host !== here) return age > OLD_MS;
  if (!isRunning(held.pid)) return true;
  const started = startOf(held.pid);
  return held.started == null || started === null ? age > OLD_MS : held.started !== started;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The 22nd field of the process's line; the second is a name in brackets that may hold anything. */
function startOf(pid: number): string | null {
  const line = read(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return line?.slice(line.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOTEMPTY" || code === "EEXIST" || code === "EPERM" || code === "EACCES") return false;
    throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else has it already.
  }
}

function read<Value>(look: () => Value): Value | null {
  try {
    return look();
  } catch {
    return null;
  }
}
