const UNITS = [
  { name: "day", ms: 24 * 60 * 60 * 1000 },
  { name: "hour", ms: 60 * 60 * 1000 },
  { name: "minute", ms: 60 * 1000 },
] as const;

/** How long ago a time was, in the largest unit that fits. */
export function formatAgo(then: Date, now: Date): string {
  const milliseconds = now.getTime() - then.getTime();
  const unit = UNITS.find(({ ms }) => milliseconds >= ms);
  if (unit === undefined) return "just now";
  const count = Math.floor(milliseconds / unit.ms);
  return `${count} ${unit.name}${count === 1 ? "" : "s"} ago`;
}

/** A date in local time, to the minute. */
export function localTime(iso: string | Date): string {
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** How long something took: seconds, then minutes, then hours. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 90 * 60 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
