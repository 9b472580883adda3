import { randomInt } from "node:crypto";

/** A new id: `chk_YYYYMMDD_HHMMSS_xxxxxx`, in UTC, with six random characters. */
export function createId(now: Date): string {
  const [day = "", time = ""] = now.toISOString().split("T");
  const suffix = Array.from({ length: 6 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return `chk_${day.replaceAll("-", "")}_${time.slice(0, 8).replaceAll(":", "")}_${suffix}`;
}

/** Whether a text is an id; only such a text ever becomes a file name. */
export function isId(text: string): boolean {
  return /^chk_\d{8}_\d{6}_[0-9a-z]{6,32}$/.test(text);
}

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
