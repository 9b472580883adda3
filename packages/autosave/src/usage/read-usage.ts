import { type AgentName, type ContextUsage, readContextUsage } from "@agent-checkpoint/transcript";
import { readBridge } from "./bridge-file.ts";
import { payloadUsage } from "./payload-usage.ts";

/** How full a session's context is, and who says so. */
export interface Usage {
  readonly percent: number;
  readonly tokens: number | null;
  readonly window: number | null;
  readonly source: "payload" | "status-line" | "transcript";
}

/** Where the usage of a session can be found. */
export interface UsageSources {
  readonly agent: AgentName;
  readonly sessionId: string | null;
  readonly transcriptPath: string | null;
  /** The event as the agent sent it. */
  readonly payload: unknown;
  readonly home: string;
  readonly now: Date;
  /** How many tokens the model takes, where the transcript cannot tell. */
  readonly contextWindow: number | null;
}

/** The usage, or why nobody knows; `isCompacted` where the context was emptied and not measured since. */
export type UsageReading = Usage | { readonly percent: null; readonly isCompacted: boolean; readonly why: string };

/** Reads how full a context is: from the payload, else from what the status line left, else from the transcript. */
export function readUsage(sources: UsageSources): UsageReading {
  const { agent, sessionId, transcriptPath, payload, home, now, contextWindow } = sources;
  const told = payloadUsage(payload);
  if (told !== null) return { ...told, source: "payload" };
  const reading: ContextUsage =
    transcriptPath === null ? { status: "unknown", reason: "missing" } : readContextUsage(transcriptPath, agent);
  const bridged = sessionId === null ? null : readBridge(home, sessionId, now);
  // What the status line showed before a compaction is no longer so.
  const isCompacted = reading.status === "unknown" && reading.reason === "compacted";
  if (bridged !== null && !isCompacted) {
    const { percent, tokens, window } = bridged;
    return { percent, tokens, window, source: "status-line" };
  }
  if (reading.status === "unknown") return { percent: null, isCompacted, why: reading.reason };
  const window = reading.window ?? contextWindow;
  if (window === null) return { percent: null, isCompacted: false, why: "unknown-window" };
  const percent = Math.min(100, (reading.tokens / window) * 100);
  return { percent, tokens: reading.tokens, window, source: "transcript" };
}
