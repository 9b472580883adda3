import { join } from "node:path";
import { appendLine, ensureHome, escapeInvisibleInJson, rotateFile } from "@agent-checkpoint/files";
import { redact } from "@agent-checkpoint/redaction";

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

/** A value without its secrets. More than fits is searched, so that cutting the text leaves no part of one. */
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
