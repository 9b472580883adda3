import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { errorCode } from "../error-code.ts";
import { type BytePath, diskPath } from "./byte-path.ts";

/** A folder that was reached through real folders only, and how the names in it are written for the disk. */
export interface Folder {
  readonly at: (name: BytePath) => string | Buffer;
  readonly close: () => void;
}

/** Why a folder could not be reached: something on the way is missing, or is no folder (a link, a file). */
export interface Unreachable {
  readonly blockedAt: BytePath;
  readonly why: "missing" | "not-a-folder";
}

/**
 * Opens a folder below a root without following a single link on the way.
 * Where the system shows open files as `/proc/self/fd`, each step starts from the folder before it, so that a link put
 * there at the last moment leads nowhere; elsewhere every step is looked at first.
 */
export function openFolder(
  root: string,
  folder: BytePath,
  { create = false }: { readonly create?: boolean } = {},
): Folder | Unreachable {
  const parts = folder === "" ? [] : folder.split("/");
  return HAS_DESCRIPTOR_PATHS ? byDescriptors(root, parts, create) : byLooking(root, parts, create);
}

/** Whether a folder was reached. */
export function isOpen(folder: Folder | Unreachable): folder is Folder {
  return "at" in folder;
}

const DESCRIPTORS = "/proc/self/fd";
const HAS_DESCRIPTOR_PATHS = existsSync(DESCRIPTORS);
const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

function byDescriptors(root: string, parts: readonly BytePath[], create: boolean): Folder | Unreachable {
  let current = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY);
  for (const [index, part] of parts.entries()) {
    const path = diskPath(`${DESCRIPTORS}/${current}`, part);
    const next = step(path, create);
    closeSync(current);
    if (typeof next !== "number") return { blockedAt: parts.slice(0, index + 1).join("/"), why: next };
    current = next;
  }
  const base = `${DESCRIPTORS}/${current}`;
  const opened = current;
  return { at: (name) => diskPath(base, name), close: () => closeSync(opened) };
}

function step(path: string | Buffer, create: boolean): number | Unreachable["why"] {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return openSync(path, FLAGS);
    } catch (error) {
      const code = errorCode(error);
      if (code === "ELOOP" || code === "ENOTDIR") return "not-a-folder";
      if (code !== "ENOENT") throw error;
      if (!create || attempt > 0) return "missing";
      makeFolder(path);
    }
  }
}

function byLooking(root: string, parts: readonly BytePath[], create: boolean): Folder | Unreachable {
  for (const index of parts.keys()) {
    const path = diskPath(root, parts.slice(0, index + 1).join("/"));
    if (create && lstatSync(path, { throwIfNoEntry: false }) === undefined) makeFolder(path);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() !== true) {
      return { blockedAt: parts.slice(0, index + 1).join("/"), why: found === undefined ? "missing" : "not-a-folder" };
    }
  }
  const base = diskPath(root, parts.join("/"));
  return { at: (name) => diskPath(base, name), close: () => undefined };
}

function makeFolder(path: string | Buffer): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
