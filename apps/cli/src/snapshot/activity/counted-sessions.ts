import { realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import type { SurroundingAgent } from "@agent-checkpoint/agents";
import type { Session } from "@agent-checkpoint/store";
import { AGENT_NAMES, type AgentName } from "@agent-checkpoint/transcript";

/** A session whose work counts in a workspace; one without a record is known only by name. */
export interface CountedSession {
  /** The agents that may own it. */
  readonly agents: readonly AgentName[];
  readonly sessionId: string;
  readonly record: Session | null;
  /** Whether this program runs in one of its calls. */
  readonly isCalling: boolean;
  /** Whether the answer depends on it: it makes this call, or has taken the snapshot. */
  readonly isNeeded: boolean;
}

/**
 * The sessions that work in a folder, its parents or its subfolders, with the one that took the snapshot and those that
 * make this call. Null if one of these has no id.
 */
export function countedSessions(
  sessions: readonly Session[],
  {
    root,
    maker,
    callers,
  }: { readonly root: string; readonly maker: string | null; readonly callers: readonly SurroundingAgent[] },
): readonly CountedSession[] | null {
  const here = sessions.filter(({ projectPath }) => projectPath !== null && isAround(root, realPath(projectPath)));
  const calling = callers.map(({ name: agent, sessionId }) => ({
    agent,
    // If an agent does not reveal its session, use the one seen last.
    sessionId: sessionId ?? here.find((session) => session.agent === agent)?.sessionId ?? null,
  }));
  const named: { readonly agents: readonly AgentName[]; readonly sessionId: string; readonly isCalling: boolean }[] =
    [];
  for (const { agent, sessionId } of calling) {
    if (sessionId === null) return null;
    named.push({ agents: [agent], sessionId, isCalling: true });
  }
  if (maker !== null && named.every(({ sessionId }) => sessionId !== maker))
    named.push({ agents: AGENT_NAMES, sessionId: maker, isCalling: false });
  const isNamed = ({ sessionId }: Session): boolean => named.some((session) => session.sessionId === sessionId);
  return [
    ...named.map((session) => ({
      ...session,
      record: sessions.find(({ sessionId }) => sessionId === session.sessionId) ?? null,
      isNeeded: true,
    })),
    ...here
      .filter((record) => !isNamed(record))
      .map((record) => ({
        agents: [record.agent],
        sessionId: record.sessionId,
        record,
        isCalling: false,
        isNeeded: false,
      })),
  ];
}

function isAround(root: string, folder: string): boolean {
  return isInside(root, folder) || isInside(folder, root);
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
