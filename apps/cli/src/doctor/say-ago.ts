const UNITS = [
  { name: "day", ms: 24 * 60 * 60 * 1000 },
  { name: "hour", ms: 60 * 60 * 1000 },
  { name: "minute", ms: 60 * 1000 },
] as const;

/** How long ago a time was, in the largest unit that fits. */
export function sayAgo(then: Date, now: Date): string {
  const span = saySpan(now.getTime() - then.getTime());
  return span === null ? "just now" : `${span} ago`;
}

/** A span of time in the largest unit that fits; null below a minute. */
export function saySpan(milliseconds: number): string | null {
  const unit = UNITS.find(({ ms }) => milliseconds >= ms);
  if (unit === undefined) return null;
  const count = Math.floor(milliseconds / unit.ms);
  return `${count} ${unit.name}${count === 1 ? "" : "s"}`;
}
