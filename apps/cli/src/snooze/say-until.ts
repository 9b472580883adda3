const DAY_MS = 24 * 60 * 60 * 1000;

/** A moment to come, in local time, as short as it can be told: `18:00`, `tomorrow 09:05`, `Fri 20 Nov 08:15`. */
export function sayUntil(until: Date, now: Date): string {
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
