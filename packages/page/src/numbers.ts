/** A number with its thousands apart: `12,345`. */
export function formatNumber(value: number): string {
  return value.toLocaleString("en-US");
}

/** A number and what it counts: `1 stop`, `2 stops`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(value)} ${value === 1 ? noun : plural}`;
}
