import { isAbsolute, relative } from "node:path";

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
  return Buffer.concat([Buffer.from(folder), SLASH, Buffer.from(path, "latin1")]);
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

/** The folder that a path lies in; empty at the root. */
export function parentOf(path: BytePath): BytePath {
  const cut = path.lastIndexOf("/");
  return cut === -1 ? "" : path.slice(0, cut);
}

/** The last part of a path. */
export function nameOf(path: BytePath): BytePath {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a path is a folder itself or lies below it; everything lies below the root. */
export function isWithin(path: BytePath, folder: BytePath): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** Compares by bytes. */
export function byBytes(a: BytePath, b: BytePath): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const BYTES = "bytes:";
const SLASH = Buffer.from("/");

function isAscii(text: string): boolean {
  return ASCII.test(text);
}

const ASCII = /^\p{ASCII}*$/u;

/** Whether a path is a folder itself or lies in it; both absolute. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}
