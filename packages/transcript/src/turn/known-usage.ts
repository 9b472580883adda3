import type { OpenFile } from "../read/files.ts";
import type { LineRange } from "../read/backwards.ts";
import type { ContextUsage } from "../types.ts";

const MAX_BYTES = 1024 * 1024;

/** The part of a file that is searched for a usage: a session whose model reports none is not read to its start. */
export function usageRange({ size }: OpenFile): LineRange {
  return { from: Math.max(0, size - MAX_BYTES) };
}

/** A usage that the agent reported, with the share of the window that it takes. */
export function knownUsage(usage: {
  readonly tokens: number;
  readonly window: number | null;
  readonly source: "transcript" | "model-name";
  readonly model: string | null;
  readonly timestamp: Date | null;
}): ContextUsage {
  const { tokens, window, source, model, timestamp } = usage;
  return {
    status: "known",
    tokens,
    window,
    percent: window === null || window <= 0 ? null : Math.round((tokens / window) * 100),
    source: window === null ? "none" : source,
    model,
    timestamp,
    ageMs: timestamp === null ? null : Math.max(0, Date.now() - timestamp.getTime()),
  };
}
