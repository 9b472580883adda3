import { CheckpointError } from "@agent-checkpoint/handoff";

const MOST_CHARACTERS = 100;
/** A file system's limit is 255, and the names of locks and drafts are longer than the file's. */
const MOST_BYTES = 180;

/**
 * A feature as part of a file's name, so that different features never share a file.
 * The name that a command without a feature uses is written with an escape, and so is all that a system may not like.
 */
export function encodeFeature(feature: unknown): string {
  const name = checkFeature(feature);
  const safe = name.replaceAll(/[^A-Za-z0-9._-]/gu, percentEncode);
  const encoded = safe.toLowerCase() === "checkpoint" ? percentEncode(safe.charAt(0)) + safe.slice(1) : safe;
  if (encoded.length > MOST_BYTES) throw badFeature("a shorter feature", name);
  return encoded;
}

/** The feature as it is compared and stored: two ways to write the same letters are one name. */
export function checkFeature(feature: unknown): string {
  if (typeof feature !== "string") throw badFeature("a feature", feature);
  const name = feature.normalize("NFC");
  if (name.trim() === "" || name.length > MOST_CHARACTERS) throw badFeature("a feature of 1 to 100 characters", name);
  if (/[\p{Cc}\p{Cs}]/u.test(name)) throw badFeature("a feature without control characters", name);
  if (name === "." || name === ".." || name === "__proto__") throw badFeature("the name of a feature", name);
  return name;
}

/** The feature that a part of a file's name stands for; null where it stands for none. */
export function decodeFeature(encoded: string): string | null {
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
