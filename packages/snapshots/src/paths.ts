import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { errorCode } from "@agent-checkpoint/files";

/**
 * A path below a root, with `/` between its parts and one character per byte.
 * Any name that a disk can hold survives, and the order of strings is the order of bytes.
 */
export type BytePath = string;

/** The byte path of a text. */
export function toBytePath(text: string): BytePath {
  return isAscii(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** The text of a byte path, or null if its bytes are no UTF-8. */
export function textOf(path: BytePath): string | null {
  if (isAscii(path)) return path;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(path, "latin1"));
  } catch {
    return null;
  }
}

/** What the disk is asked for: the bytes of a path below a folder. */
export function diskPath(folder: string | Buffer, path: BytePath): string | Buffer {
  if (path === "") return folder;
  if (typeof folder === "string" && isAscii(path)) return `${folder}/${path}`;
  return Buffer.concat([Buffer.from(folder), Buffer.from("/"), Buffer.from(path, "latin1")]);
}

/** A path as JSON and reports hold it: its text, or `bytes:` and its bytes in percent notation. */
export function encodePath(path: BytePath): string {
  const text = textOf(path);
  if (text !== null && !text.startsWith(BYTES)) return text;
  return BYTES + path.replaceAll(/[^\w./-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** The path that `encodePath` wrote. */
export function decodePath(encoded: string): BytePath {
  if (!encoded.startsWith(BYTES)) return toBytePath(encoded);
  const hex = encoded.slice(BYTES.length);
  return hex.replaceAll(/%([0-9a-f]{2})/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
}

const BYTES = "bytes:";

function isAscii(text: string): boolean {
  return ASCII.test(text);
}

const ASCII = /^\p{ASCII}*$/u;

/** The folder that a path lies in; empty at the root. */
export function parentOf(path: BytePath): BytePath {
  const cut = path.lastIndexOf("/");
  return cut === -1 ? "" : path.slice(0, cut);
}

/** The folders above a path, the nearest first, without the root. */
export function foldersAbove(path: BytePath): readonly BytePath[] {
  const found: BytePath[] = [];
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) found.push(folder);
  return found;
}

/** The last part of a path. */
export function nameOf(path: BytePath): BytePath {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a path is a folder itself or lies below it; everything lies below the root. */
export function isWithin(path: BytePath, folder: BytePath): boolean {
  return folder === "" || (path.startsWith(folder) && (path.length === folder.length || path[folder.length] === "/"));
}

/** Whether a path is one of some folders or lies below one. */
export function isWithinAny(path: BytePath, folders: Iterable<BytePath>): boolean {
  for (const folder of folders) if (isWithin(path, folder)) return true;
  return false;
}

/** Compares by bytes. */
export function byBytes(a: BytePath, b: BytePath): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a path is a folder itself or lies in it; both absolute. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}

/** The first paths by name, and how many more there are. */
export function namePaths(paths: readonly BytePath[]): string {
  const shown = paths.slice(0, 5).map((path) => `\`${encodePath(path)}\``);
  return paths.length > 5 ? `${shown.join(", ")} and ${paths.length - 5} more` : shown.join(", ");
}

/** A folder that was reached through real folders only, and how the names in it are written for the disk. */
export interface Folder {
  readonly at: (name: BytePath) => string | Buffer;
  readonly close: () => void;
}

/**
 * Opens a folder below a root without following a single link on the way, and makes what is missing; otherwise gives the
 * path that is no folder. Where the system shows open files as `/proc/self/fd`, each step starts from the folder before
 * it, so that a link put there at the last moment leads nowhere; elsewhere every step is checked first.
 */
export function openFolder(root: string, folder: BytePath): Folder | { readonly blockedAt: BytePath } {
  const parts = folder === "" ? [] : folder.split("/");
  let current = HAS_DESCRIPTORS ? openSync(root, constants.O_RDONLY | constants.O_DIRECTORY) : -1;
  for (const index of parts.keys()) {
    const way = parts.slice(0, index + 1).join("/");
    const path = HAS_DESCRIPTORS ? diskPath(`${DESCRIPTORS}/${current}`, parts[index] ?? "") : diskPath(root, way);
    const next = enter(path);
    if (HAS_DESCRIPTORS) closeSync(current);
    if (next === null) return { blockedAt: way };
    current = next;
  }
  const base = HAS_DESCRIPTORS ? `${DESCRIPTORS}/${current}` : diskPath(root, folder);
  return { at: (name) => diskPath(base, name), close: () => HAS_DESCRIPTORS && closeSync(current) };
}

const DESCRIPTORS = "/proc/self/fd";
const HAS_DESCRIPTORS = existsSync(DESCRIPTORS);
const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Opens a folder, or makes it; null if something else is there. */
function enter(path: string | Buffer): number | null {
  try {
    return look(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ELOOP" || code === "ENOTDIR") return null;
    if (code !== "ENOENT") throw error;
    makeFolder(path);
    return look(path);
  }
}

function look(path: string | Buffer): number | null {
  if (HAS_DESCRIPTORS) return openSync(path, FLAGS);
  return lstatSync(path).isDirectory() ? -1 : null;
}

/** Makes a folder, if it is not there. */
export function makeFolder(path: string | Buffer, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
