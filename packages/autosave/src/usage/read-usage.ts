import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WIRES } from "@agent-checkpoint/agents/wire";
import { isRecord, writeWhole } from "@agent-checkpoint/files";
import { type AgentName, type ContextUsage, readContextUsage } from "@agent-checkpoint/transcript";

/** How full a session's context is, and the source of the figure. */
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
  /** The model's context size in tokens, if the agent does not report it; null to derive it from the model's name. */
  readonly contextWindow: number | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The usage, or why it is unknown; `isCompacted` if the context was compacted and not measured since. */
export type UsageReading = Usage | { readonly percent: null; readonly isCompacted: boolean; readonly why: string };

/** Reads how full a context is: from the payload, otherwise from what the status line left, otherwise from the transcript. */
export function readUsage(sources: UsageSources): UsageReading {
  const { agent, sessionId, transcriptPath, payload, home, now, contextWindow, env } = sources;
  const inPayload = payloadUsage(payload);
  if (inPayload !== null) return { ...inPayload, source: "payload" };
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
  // A person's setting outranks the model's name, and the agent's own figure outranks both.
  const told = reading.source === "transcript" ? positive(reading.window) : null;
  const found = told ?? positive(contextWindow) ?? positive(reading.window);
  if (found === null)
    return { percent: null, isCompacted: false, why: `the window of the model ${reading.model ?? "without a name"}` };
  const window = Math.min(found, WIRES[agent].maxWindow?.(env) ?? found);
  const percent = Math.min(100, (reading.tokens / window) * 100);
  return { percent, tokens: reading.tokens, window, source: "transcript" };
}

/** The usage in a payload with a `context_window`, as Claude Code gives it to its status line; null if it has none. */
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
  return isRecord(value) ? value : {};
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

function positive(value: unknown): number | null {
  const found = number(value);
  return found === null || found === 0 ? null : found;
}

/** The usage that a status line was last shown with. */
export interface BridgedUsage {
  readonly percent: number;
  readonly tokens: number | null;
  readonly window: number | null;
  readonly at: Date;
}

/** Stores a session's usage for the hooks, atomically. */
export function writeBridge(home: string, sessionId: string, { at, ...usage }: BridgedUsage): void {
  const path = bridgePath(home, sessionId);
  if (path === null) return;
  mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
  writeWhole(path, JSON.stringify({ ...usage, at: at.getTime() }), { isFlushed: false });
}

/** The usage that the status line stored for a session; null if there is no recent one. */
export function readBridge(home: string, sessionId: string, now: Date): BridgedUsage | null {
  const path = bridgePath(home, sessionId);
  if (path === null) return null;
  try {
    const { percent, tokens, window, at } = JSON.parse(readFileSync(path, "utf8")) as Partial<Record<string, unknown>>;
    if (!isCount(percent) || percent > 100 || !isCount(at)) return null;
    const age = now.getTime() - at;
    if (age > MAX_AGE_MS || age < -MAX_AHEAD_MS) return null;
    return {
      percent,
      tokens: isCount(tokens) ? tokens : null,
      window: isCount(window) ? window : null,
      at: new Date(at),
    };
  } catch {
    return null;
  }
}

/** A status line is drawn after every answer; one this old is of another time of the session. */
const MAX_AGE_MS = 10 * 60_000;
const MAX_AHEAD_MS = 60_000;

/** Null for a session whose id could be a path. */
function bridgePath(home: string, sessionId: string): string | null {
  return /^[\w-]{1,100}$/.test(sessionId) ? join(folderOf(home), `${sessionId}.json`) : null;
}

function folderOf(home: string): string {
  return join(home, "statusline");
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
