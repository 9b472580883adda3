import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The usage that a status line was last shown with. */
export interface BridgedUsage {
  readonly percent: number;
  readonly tokens: number | null;
  readonly window: number | null;
  readonly at: Date;
}

/** Leaves a session's usage for the hooks, whole or not at all. */
export function writeBridge(home: string, sessionId: string, { at, ...usage }: BridgedUsage): void {
  const path = bridgePath(home, sessionId);
  if (path === null) return;
  mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}-${Math.floor(Math.random() * 36 ** 8).toString(36)}.tmp`;
  try {
    writeFileSync(draft, JSON.stringify({ ...usage, at: at.getTime() }), { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The usage that the status line left for a session; null where there is none that is fresh. */
export function readBridge(home: string, sessionId: string, now: Date): BridgedUsage | null {
  const path = bridgePath(home, sessionId);
  if (path === null) return null;
  try {
    const { percent, tokens, window, at } = JSON.parse(readFileSync(path, "utf8")) as Partial<Record<string, unknown>>;
    if (!isCount(percent) || percent > 100 || !isCount(at)) return null;
    const age = now.getTime() - at;
    if (age > MOST_AGE_MS || age < -MOST_AHEAD_MS) return null;
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
const MOST_AGE_MS = 10 * 60_000;
const MOST_AHEAD_MS = 60_000;

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
