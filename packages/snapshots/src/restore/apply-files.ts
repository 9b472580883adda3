import { randomBytes } from "node:crypto";
import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { errorCode } from "@agent-checkpoint/files";
import { createLooker } from "../files/look-at.ts";
import { entryAt } from "../files/entry-at.ts";
import type { ApplyRequest, Change } from "../kinds/kind.ts";
import { byPath, type Entry, isSameState } from "../manifest/entry.ts";
import { type BytePath, encodePath, nameOf, parentOf } from "../paths/byte-path.ts";
import { type Folder, isOpen, openFolder } from "../paths/open-folder.ts";
import { SafetyError } from "../trouble.ts";
import { stageContents } from "./stage-contents.ts";

/**
 * Makes changes to files: contents are staged first, then names go (deepest first), folders come, contents get their
 * names, and permissions of folders come last. Every step reaches its folder without following a link.
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
  try {
    for (const { from, to } of sorted) if (to.type === "directory" && from.type === "directory") loosen(folders, to);
    for (const { from, to } of sorted.toReversed()) {
      if (from.type === "absent" || ((from.type === "directory") === (to.type === "directory") && to.type !== "absent"))
        continue;
      removeName(folders, from);
      step(`removed ${encodePath(from.path)}`);
    }
    for (const { from, to } of sorted) {
      if (to.type === "directory" && from.type !== "directory") makeFolder(folders, to.path);
      const path = staged.get(to);
      if (path !== undefined) place(folders, path, to);
      else if (to.type === "file") setMode(folders, to);
      step(`placed ${encodePath(to.path)}`);
    }
    for (const { to } of sorted.toReversed()) if (to.type === "directory") setMode(folders, to);
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
      const folder = openFolder(root, path, { create: true });
      if (!isOpen(folder)) {
        throw new SafetyError(
          "in-the-way",
          `\`${encodePath(folder.blockedAt)}\` is no longer a real folder.`,
          "Move it away and restore again.",
        );
      }
      current = { path, folder };
      return folder;
    },
    close,
  };
}

function loosen(folders: Folders, { path }: Entry): void {
  chmodSync(folders.reach(parentOf(path)).at(nameOf(path)), 0o700);
}

function removeName(folders: Folders, { path, type }: Entry): void {
  const at = folders.reach(parentOf(path)).at(nameOf(path));
  try {
    if (type === "directory") rmdirSync(at);
    else unlinkSync(at);
  } catch (error) {
    const code = errorCode(error);
    // What is ignored or left out inside a folder keeps the folder.
    if (code !== "ENOENT" && !(type === "directory" && code === "ENOTEMPTY")) throw error;
  }
}

function makeFolder(folders: Folders, path: BytePath): void {
  try {
    mkdirSync(folders.reach(parentOf(path)).at(nameOf(path)), { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** Renames staged contents into place in one step; from another file system they are copied into the folder first. */
function place(folders: Folders, staged: string, { path }: Entry): void {
  const folder = folders.reach(parentOf(path));
  try {
    renameSync(staged, folder.at(nameOf(path)));
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    const near = folder.at(`.checkpoint-${randomBytes(6).toString("hex")}`);
    copyNear(staged, near);
    renameSync(near, folder.at(nameOf(path)));
    unlinkSync(staged);
  }
}

function copyNear(from: string, to: string | Buffer): void {
  const { mode, isLink } = lookAt(from);
  if (isLink) symlinkSync(readlinkSync(from, { encoding: "buffer" }), to);
  else {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    chmodSync(to, mode);
  }
}

function lookAt(path: string): { readonly mode: number; readonly isLink: boolean } {
  const stats = lstatSync(path);
  return { mode: stats.mode & 0o7777, isLink: stats.isSymbolicLink() };
}

/** Sets permissions, of the thing itself and never of what a link points to. */
function setMode(folders: Folders, { path, mode }: Entry): void {
  const at = folders.reach(parentOf(path)).at(nameOf(path));
  if (!lstatSync(at).isSymbolicLink()) chmodSync(at, mode);
}
