import { SafetyError } from "../trouble.ts";

/** When a checkpoint expires: `24h`, `7d`, `never`, or an ISO time that is still to come; null is never. */
export function parseExpiry(expiry: string | null | undefined, now: Date): Date | null {
  const text = (expiry ?? "never").trim();
  if (text === "never") return null;
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const unitMs = UNITS[unit];
  if (count !== undefined && unitMs !== undefined && Number(count) > 0)
    return new Date(now.getTime() + Number(count) * unitMs);
  if (ISO.test(text)) {
    const time = new Date(text);
    if (time > now) return time;
  }
  throw new SafetyError(
    "bad-input",
    `The expiry \`${text}\` is none.`,
    "Write a time to come: `24h`, `7d`, `never`, or an ISO time such as `2031-01-31T12:00:00Z`.",
  );
}

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 1440 * MINUTE, w: 10_080 * MINUTE };
const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;
