import { randomBytes } from "node:crypto";
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  fchmodSync,
  lstatSync,
  mkdirSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { copyToFree, errorCode, move, moveToFree, openNew } from "@agent-checkpoint/files";
import { absentAt, byPath, type Entry, isSameState } from "../manifest.ts";
import { type BytePath, encodePath, type Folder, makeFolder, nameOf, openFolder, parentOf } from "../paths.ts";
import type { Context } from "../place.ts";
import { createLooker, entryAt, entryOf } from "../read-files.ts";
import { SafetyError } from "../trouble.ts";
import type { ApplyRequest, Change, DrillRequest } from "./kind.ts";

/**
 * Makes changes to files: contents are staged first, then names go (deepest first), folders come, contents get their
 * names, and permissions of folders come last. Every step reaches its folder without following a link.
 *
 * Nothing is replaced blindly: what is in the way is moved aside, and is what the undo snapshot holds, or the restore stops
 * and it goes back; a name that has been taken meanwhile is left alone.
 */
export async function applyFiles(request: ApplyRequest): Promise<void> {
  const { root, step } = request;
  const changes = request.isResumed ? leftOver(root, request.changes) : request.changes;
  const sorted = [...changes].sort((a, b) => byPath(a.to, b.to));
  const isContent = ({ from, to }: Change): boolean =>
    (to.type === "file" || to.type === "link") && !isSameContent(from, to);
  const staged = await stageContents(
    sorted.filter(isContent).map(({ to }) => to),
    request,
  );
  step("staged");
  const folders = keepFolder(root);
  const away = awayTo(request.staging);
  try {
    for (const { from, to } of sorted)
      if (to.type === "directory" && from.type === "directory") chmodSync(at(folders, to.path), 0o700);
    for (const { from, to } of sorted.toReversed()) {
      if (from.type === "absent" || ((from.type === "directory") === (to.type === "directory") && to.type !== "absent"))
        continue;
      removeName(folders, from, away);
      step(`removed ${encodePath(from.path)}`);
    }
    for (const { from, to } of sorted) {
      if (to.type === "directory" && from.type !== "directory") makeFolder(at(folders, to.path), 0o700);
      const path = staged.get(to);
      if (path !== undefined)
        place(folders, path, { from: from.type === "directory" ? absentAt(from.path) : from, to, away });
      else if (to.type === "file") setMode(folders, to);
      step(`placed ${encodePath(to.path)}`);
    }
    for (const { to } of sorted.toReversed()) if (to.type === "directory") setMode(folders, to);
    away.check();
  } finally {
    folders.close();
  }
  step("applied");
}

/** The changes that an earlier, interrupted run has not made; what someone else has changed since is left to them. */
function leftOver(root: string, changes: readonly Change[]): readonly Change[] {
  const { look } = createLooker(root);
  return changes.flatMap(({ from, to }) => {
    const now = entryAt(root, to.path, look);
    const isOurs =
      isSameState(now, from) || now.type === "absent" || (now.type === "directory" && to.type === "directory");
    return !isSameState(now, to) && isOurs ? [{ from: now, to }] : [];
  });
}

function isSameContent(from: Entry, to: Entry): boolean {
  return from.type === to.type && from.oid === to.oid;
}

/** Reaches folders one after the other; neighbours in order are mostly in the same one. */
interface Folders {
  readonly reach: (folder: BytePath) => Folder;
  readonly close: () => void;
}

function keepFolder(root: string): Folders {
  let current: { readonly path: BytePath; readonly folder: Folder } | null = null;
  const close = (): void => {
    current?.folder.close();
    current = null;
  };
  return {
    reach: (path) => {
      if (current?.path === path) return current.folder;
      close();
      const folder = openFolder(root, path);
      if ("blockedAt" in folder) {
        const what = `\`${encodePath(folder.blockedAt)}\` is no longer a real folder.`;
        throw new SafetyError("in-the-way", what, "Move it away and restore again.");
      }
      current = { path, folder };
      return folder;
    },
    close,
  };
}

/** How a path is written for the disk. */
function at(folders: Folders, path: BytePath): string | Buffer {
  return folders.reach(parentOf(path)).at(nameOf(path));
}

function removeName(folders: Folders, from: Entry, away: Away): void {
  const folder = folders.reach(parentOf(from.path));
  if (from.type !== "directory") return away.take(folder, from);
  try {
    rmdirSync(folder.at(nameOf(from.path)));
  } catch (error) {
    const code = errorCode(error);
    // What is ignored or left out inside a folder keeps the folder.
    if (code !== "ENOENT" && code !== "ENOTEMPTY") throw error;
  }
}

/** Gives staged contents their name once what had it is aside; from another file system they are copied into the folder first. */
function place(
  folders: Folders,
  staged: string,
  { from, to, away }: { readonly from: Entry; readonly to: Entry; readonly away: Away },
): void {
  const folder = folders.reach(parentOf(to.path));
  const target = folder.at(nameOf(to.path));
  const put = nearBy(staged, folder);
  if (from.type !== "absent") away.take(folder, from);
  try {
    moveToFree(put, target);
  } catch (error) {
    throw errorCode(error) === "EEXIST" ? savedMeanwhile(to.path) : error;
  }
}

/** Staged contents on the file system of a folder. */
function nearBy(staged: string, folder: Folder): string | Buffer {
  const near = folder.at(`.checkpoint-${randomBytes(6).toString("hex")}`);
  if (lstatSync(staged).dev === statSync(folder.at(".")).dev) return staged;
  copyToFree(staged, near);
  unlinkSync(staged);
  return near;
}

/** Where what is replaced or removed lies until the restore is through. */
interface Away {
  /** Moves away what is at the place of an entry, if it is still that entry. */
  readonly take: (folder: Folder, from: Entry) => void;
  /** Makes sure that no open program has written to what was moved away, and lets it go. */
  readonly check: () => void;
}

/**
 * Between the last look and the move there are microseconds; what changed in them is seen by size, inode and time
 * afterwards, and gets its name back. Node has no exchange of two names, so the name is free for as long.
 */
function awayTo(staging: string): Away {
  const moved: {
    readonly path: BytePath;
    readonly at: string | Buffer;
    readonly home: string | Buffer;
    readonly seen: string;
  }[] = [];
  return {
    take: (folder, from) => {
      const home = folder.at(nameOf(from.path));
      const before = lstatSync(home, { bigint: true, throwIfNoEntry: false });
      const { path } = from;
      if (before === undefined || !isSameState(entryOf(home, path, before), from)) throw savedMeanwhile(path);
      const at = moveAway(home, folder, staging, moved.length);
      const after = lstatSync(at, { bigint: true });
      if (stamp(after) !== stamp(before)) {
        putBack(at, home);
        throw savedMeanwhile(path);
      }
      moved.push({ path, at, home, seen: stamp(after) });
    },
    check: () => {
      const written = moved.find(({ at, seen }) => stamp(lstatSync(at, { bigint: true })) !== seen);
      if (written !== undefined) {
        move(written.at, written.home);
        throw savedMeanwhile(written.path);
      }
      for (const { at } of moved) unlinkSync(at);
    },
  };
}

function moveAway(home: string | Buffer, folder: Folder, staging: string, number: number): string | Buffer {
  const at = join(staging, `${AWAY}${number}`);
  try {
    move(home, at);
    return at;
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    const near = folder.at(`.checkpoint-${randomBytes(6).toString("hex")}`);
    move(home, near);
    return near;
  }
}

/** The beginning of the names of what was moved away. */
export const AWAY = "away-";

/** Gives what was moved away its name back, unless something else has it by now. */
function putBack(at: string | Buffer, home: string | Buffer): void {
  try {
    moveToFree(at, home);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** What stays the same when a file is moved. */
function stamp({ ino, size, mtimeNs, mode }: BigIntStats): string {
  return `${ino}:${size}:${mtimeNs}:${mode}`;
}

function savedMeanwhile(path: BytePath): SafetyError {
  return new SafetyError(
    "changed-by-others",
    `\`${encodePath(path)}\` was saved while it was being restored.`,
    "It is as it was saved, and everything else is as it was before. Try again.",
  );
}

/** Sets permissions, of the thing itself and never of what a link points to. */
function setMode(folders: Folders, { path, mode }: Entry): void {
  const there = at(folders, path);
  if (!lstatSync(there).isSymbolicLink()) chmodSync(there, mode);
}

/** Brings files back into an empty folder, by the code that brings them back into their own, and looks at the result. */
export async function drillFiles(
  { folder, entries, contents }: DrillRequest,
  { progress }: Context,
): Promise<readonly Entry[]> {
  const [root, staging] = [join(folder, "files"), join(folder, "staging")];
  for (const path of [root, staging]) mkdirSync(path, { mode: 0o700 });
  const changes = entries.map((to) => ({ from: absentAt(to.path), to }));
  const step = () => undefined;
  await applyFiles({ root, changes, contents, staging, isDurable: false, progress, step, isResumed: false });
  const { look } = createLooker(root);
  return entries.map(({ path }) => entryAt(root, path, look));
}

/** Writes what a restore will put in place into a folder of its own first, so that a full disk or a damaged content stops it before. */
async function stageContents(
  entries: readonly Entry[],
  { contents, staging, isDurable, progress }: ApplyRequest,
): Promise<ReadonlyMap<Entry, string>> {
  const staged = new Map<Entry, string>();
  for (const [index, entry] of entries.entries()) {
    if (index % 64 === 0) progress({ step: "restoring", done: index, total: entries.length });
    const path = join(staging, String(index));
    if (entry.type === "link") symlinkSync(await contents.read(entry), path);
    else {
      const file = openNew(path);
      try {
        await contents.copy(entry, file);
        fchmodSync(file, entry.mode);
      } finally {
        closeSync(file);
      }
      // Changing the owner's bits by descriptor drops setuid on some systems once data was written.
      if ((entry.mode & 0o7000) !== 0) chmodSync(path, entry.mode);
    }
    staged.set(entry, path);
  }
  if (isDurable) await flushAll([...staged].filter(([{ type }]) => type === "file").map(([, path]) => path));
  return staged;
}

/** Flushes files a few at a time: the disk does several at once in nearly the time of one. */
async function flushAll(paths: readonly string[]): Promise<void> {
  const left = [...paths];
  const work = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      const file = await open(path, "r");
      await file.sync().finally(() => file.close());
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}
