import type { Usage } from "./read-usage.ts";

/** The usage in a payload with a `context_window`, as Claude Code gives it to its status line; null where it has none. */
export function payloadUsage(payload: unknown): Omit<Usage, "source"> | null {
  const found = fields(fields(payload)["context_window"]);
  const window = positive(found["context_window_size"]);
  const tokens = tokensIn(fields(found["current_usage"])) ?? null;
  const said = number(found["used_percentage"]);
  const percent = said ?? (tokens !== null && window !== null ? (tokens / window) * 100 : null);
  return percent === null || percent > 100 ? null : { percent, tokens, window };
}

const COUNTS = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"] as const;

function tokensIn(usage: Fields): number | null {
  const counts = COUNTS.flatMap((name) => number(usage[name]) ?? []);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

function positive(value: unknown): number | null {
  const found = number(value);
  return found === null || found === 0 ? null : found;
}
