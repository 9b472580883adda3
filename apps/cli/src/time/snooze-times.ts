/** When a snooze ends, or what is wrong with the words. */
export type ParsedUntil = { readonly ok: true; readonly until: Date } | { readonly ok: false; readonly detail: string };

const MINUTE_MS = 60 * 1000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS };

/** The maximum length of a snooze; to silence the hook for longer, uninstall it. */
const MAX_DAYS = 7;

/** Reads `30m`, `2h`, `1h30m`, `1d`, `until 18:00` and `until 2026-11-20T18:00`, in local time. */
export function parseUntil(words: readonly string[], now: Date): ParsedUntil {
  const until = readMoment(words.join(" ").trim().toLowerCase(), now);
  if (until === null) return { ok: false, detail: "is not a time; write 30m, 2h, 1h30m, 1d or until 18:00" };
  const length = until.getTime() - now.getTime();
  if (length <= 0) return { ok: false, detail: "is in the past" };
  if (length > MAX_DAYS * (UNITS["d"] ?? 0)) return { ok: false, detail: `is more than ${MAX_DAYS} days away` };
  return { ok: true, until };
}

function readMoment(text: string, now: Date): Date | null {
  const [, word = ""] = /^until (.+)$/.exec(text) ?? [];
  return word === "" ? afterSpan(text, now) : (atClock(word, now) ?? atDate(word));
}

function afterSpan(text: string, now: Date): Date | null {
  if (!/^(?:\d{1,6}[mhd])+$/.test(text)) return null;
  const spans = [...text.matchAll(/(\d+)([mhd])/g)].map(([, count, unit = ""]) => Number(count) * (UNITS[unit] ?? 0));
  return new Date(now.getTime() + spans.reduce((sum, span) => sum + span, 0));
}

/** The next time the clock shows it: today or tomorrow. */
function atClock(text: string, now: Date): Date | null {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined) return null;
  const at = new Date(now);
  at.setHours(Number(hours), Number(minutes), 0, 0);
  if (at <= now) at.setDate(at.getDate() + 1);
  return at;
}

/** A date without a time is midnight in local time, not UTC. */
function atDate(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:z|[+-]\d\d:\d\d)?)?$/.test(text)) return null;
  const upper = text.toUpperCase().replace(" ", "T");
  const date = new Date(upper.includes("T") ? upper : `${upper}T00:00`);
  return Number.isNaN(date.getTime()) ? null : date;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A future time in local time, as short as possible: `18:00`, `tomorrow 09:05`, `Fri 20 Nov 08:15`. */
export function formatUntil(until: Date, now: Date): string {
  const clock = until.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const days = Math.round((startOfDay(until).getTime() - startOfDay(now).getTime()) / DAY_MS);
  if (days === 0) return clock;
  if (days === 1) return `tomorrow ${clock}`;
  const weekday = until.toLocaleDateString("en-GB", { weekday: "short" });
  const month = until.toLocaleDateString("en-GB", { month: "short" });
  return `${weekday} ${until.getDate()} ${month} ${clock}`;
}

function startOfDay(moment: Date): Date {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate());
}
