import type { ContextUsage } from "../types.ts";

/** A usage that the agent reported, with the share of the window that it takes. */
export const knownUsage = ({
  tokens,
  window,
  source,
  model,
  timestamp,
}: {
  readonly tokens: number;
  readonly window: number | null;
  readonly source: "transcript" | "model-name";
  readonly model: string | null;
  readonly timestamp: Date | null;
}): ContextUsage => ({
  status: "known",
  tokens,
  window,
  percent: window === null || window <= 0 ? null : Math.round((tokens / window) * 100),
  source: window === null ? "none" : source,
  model,
  timestamp,
  ageMs: timestamp === null ? null : Math.max(0, Date.now() - timestamp.getTime()),
});
