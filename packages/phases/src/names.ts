import { COMMAND_NAMES, type CommandName } from "./commands.ts";
import { CheckpointError } from "./report.ts";

/** A command, with or without a feature; each has its own phase file. */
export interface CheckpointKey {
  readonly command: CommandName;
  readonly feature: string | null;
}

/** The name of a phase file. */
export function fileName({ command, feature }: CheckpointKey): string {
  return `${command}-${feature === null ? "checkpoint" : encodeFeature(feature)}.json`;
}

/** The command and feature in the name of a phase file; null for any other file. */
export function parseFileName(name: string): CheckpointKey | null {
  const [, command, rest] = /^([a-z]+)-(.+)\.json$/s.exec(name) ?? [];
  const known = COMMAND_NAMES.find((each) => each === command);
  if (known === undefined || rest === undefined) return null;
  if (rest === "checkpoint") return { command: known, feature: null };
  const feature = decodeFeature(rest);
  return feature === null ? null : { command: known, feature };
}

/** The key for a command and feature that a caller gave. */
export function keyOf(command: unknown, feature: unknown): CheckpointKey {
  checkCommand(command);
  if (feature === undefined || feature === null) return { command, feature: null };
  encodeFeature(feature);
  return { command, feature: checkFeature(feature) };
}

/** Refuses an unknown command. */
function checkCommand(command: unknown): asserts command is CommandName {
  if (COMMAND_NAMES.some((name) => name === command)) return;
  const found = JSON.stringify(command)?.slice(0, 80) ?? "nothing";
  throw new CheckpointError("bad-name", `expected a command (${COMMAND_NAMES.join(", ")}), found ${found}`);
}

/** A command and its feature in words. */
export function describeKey({ command, feature }: CheckpointKey): string {
  return feature === null ? `\`${command}\`` : `\`${command}\` for ${JSON.stringify(feature.slice(0, 80))}`;
}

const MAX_CHARACTERS = 100;
/** A file system's limit is 255, and the names of locks and drafts are longer than the file's. */
const MAX_BYTES = 180;

/**
 * A feature as part of a file's name, so that different features never share a file.
 * The name that a command without a feature uses is escaped, and so are characters that a file system may refuse.
 */
export function encodeFeature(feature: unknown): string {
  const name = checkFeature(feature);
  const safe = name.replaceAll(/[^A-Za-z0-9._-]/gu, percentEncode);
  const encoded = safe.toLowerCase() === "checkpoint" ? percentEncode(safe.charAt(0)) + safe.slice(1) : safe;
  if (encoded.length > MAX_BYTES) throw badFeature("a shorter feature", name);
  return encoded;
}

/** The feature as it is compared and stored: in Unicode's composed form. */
function checkFeature(feature: unknown): string {
  if (typeof feature !== "string") throw badFeature("a feature", feature);
  const name = feature.normalize("NFC");
  if (name.trim() === "" || name.length > MAX_CHARACTERS) throw badFeature("a feature of 1 to 100 characters", name);
  if (/[\p{Cc}\p{Cs}]/u.test(name)) throw badFeature("a feature without control characters", name);
  if (name === "." || name === ".." || name === "__proto__") throw badFeature("the name of a feature", name);
  return name;
}

/** The feature that a part of a file name encodes; null if it encodes none. */
function decodeFeature(encoded: string): string | null {
  try {
    const feature = decodeURIComponent(encoded);
    return encodeFeature(feature) === encoded ? feature : null;
  } catch {
    return null;
  }
}

function percentEncode(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

function badFeature(expected: string, found: unknown): CheckpointError {
  return new CheckpointError(
    "bad-name",
    `expected ${expected}, found ${JSON.stringify(found)?.slice(0, 80) ?? "nothing"}`,
  );
}

/**
 * What a phase may be called: up to 100 characters, a letter first.
 * JavaScript moves keys that are numbers to the front, and the order of the phases is the order of their keys.
 */
export const PHASE_NAME: RegExp = /^(?!(?:constructor|prototype)$)\p{L}[\p{L}\p{M}\p{N} ._:/-]{0,99}$/u;

/** The same in words. */
export const PHASE_NAME_RULE =
  "expected a phase of at most 100 letters, digits, spaces and `._:/-` that begins with a letter";

/** Refuses an invalid name of a phase. */
export function checkPhaseName(phase: unknown): asserts phase is string {
  if (typeof phase === "string" && PHASE_NAME.test(phase)) return;
  throw new CheckpointError(
    "bad-name",
    `${PHASE_NAME_RULE}, found ${JSON.stringify(phase)?.slice(0, 80) ?? "nothing"}`,
  );
}
