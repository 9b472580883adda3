import { refused } from "../cli-error.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

const UNITS: ReadonlyMap<string, { readonly length: number; readonly grain: number }> = new Map(
  Object.entries({
    h: { length: HOUR, grain: HOUR },
    d: { length: DAY, grain: DAY },
    w: { length: 7 * DAY, grain: DAY },
  }),
);

/**
 * The moment that `30d`, `12h`, `2w` or a date means, in milliseconds.
 *
 * What is counted back from now begins with a whole hour or day, so that a second run asks for the same.
 */
export function parseSince(text: string, now: Date): number {
  const [, amount, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const known = UNITS.get(unit ?? "");
  if (amount !== undefined && known !== undefined) {
    const moment = now.getTime() - Number(amount) * known.length;
    return moment - (moment % known.grain);
  }
  const date = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(date)) return date;
  throw refused(
    `--since ${JSON.stringify(text)} is neither a time span nor a date.`,
    "Write 12h, 30d or 2w, or a date such as 2026-01-31.",
  );
}
