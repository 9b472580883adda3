import { existsSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { appendLine, escapeInvisibleInJson, rotateFile } from "@agent-checkpoint/files";
import { redact } from "@agent-checkpoint/redaction";
import { errorCode, StoreError } from "./store-error.ts";

/** One line of the log: what happened, and whatever helps to understand it. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  /** What happened, in kebab-case, to search for. */
  readonly event: string;
  readonly [field: string]: string | number | boolean | null | undefined;
}

const LOG_FILE = "checkpoint.log";
const ROTATE_AT_BYTES = 5_000_000;
const MAX_LINE_BYTES = 2048;

/** Writes one line to the log and returns whether it could; never throws, because failures are reported with it. */
export function appendLog(home: string, entry: LogEntry, now: Date = new Date()): boolean {
  try {
    ensureHome(home);
    const path = join(home, LOG_FILE);
    const { size, isInPlace } = appendLine(path, logLine(entry, now));
    if (size >= ROTATE_AT_BYTES && isInPlace) rotateFile(path, ROTATE_AT_BYTES);
    return true;
  } catch {
    return false;
  }
}

function logLine({ level, event, ...fields }: LogEntry, now: Date): string {
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${token(shown(name))}=${token(shown(value))}`);
  return `${capped(`${now.toISOString()} ${level} ${token(shown(event))}${pairs.join("")}`)}\n`;
}

/** A value without its secrets. More than fits is searched, so that no secret is cut in two and stays. */
function shown(value: LogEntry[string]): string {
  return redact(String(value).slice(0, 4 * MAX_LINE_BYTES)).slice(0, MAX_LINE_BYTES);
}

/** A word as it is, anything else in quotes. */
function token(text: string): string {
  return /^[\w.,:;/@+~%-]+$/.test(text) ? text : escapeInvisibleInJson(JSON.stringify(text));
}

function capped(line: string): string {
  const bytes = Buffer.from(line);
  if (bytes.length < MAX_LINE_BYTES) return line;
  const room = MAX_LINE_BYTES - Buffer.byteLength("…\n");
  // A character cut in half becomes the replacement character.
  return `${bytes
    .subarray(0, room)
    .toString()
    .replace(/\uFFFD+$/, "")}…`;
}

/** Creates the home, readable by its owner only; a folder that another user created in the temporary folder is refused. */
export function ensureHome(home: string): void {
  makeFolder(home);
  if (process.getuid === undefined || !isTemporary(dirname(home))) return;
  const stats = lstatSync(home);
  if (!stats.isDirectory() || stats.uid !== process.getuid())
    throw new StoreError(
      "cannot-create",
      `${home} belongs to another user; set CHECKPOINT_HOME to a folder of your own`,
    );
}

/** Whether a folder is one for temporary files; loading `node:os` would slow down every event. */
function isTemporary(folder: string): boolean {
  const { TMPDIR, TMP, TEMP } = process.env;
  return [TMPDIR, TMP, TEMP, "/tmp"].some((path) => path !== undefined && path.replace(/(.)\/+$/, "$1") === folder);
}

/** Creates a folder and its parents; `recursive` never returns if a parent exists but nothing can be created in it. */
function makeFolder(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = errorCode(error);
    // Another process may have been faster.
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    if (code !== "ENOENT" || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path));
    makeFolder(path);
  }
}
