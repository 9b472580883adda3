import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Activity, Manifest } from "@agent-checkpoint/snapshots";
import { openStore, type Session, StoreError } from "@agent-checkpoint/store";
import { findTranscript } from "@agent-checkpoint/transcript";
import { surroundingAgents } from "@agent-checkpoint/agents";
import type { Environment } from "../../environment.ts";
import { type CountedSession, countedSessions } from "./counted-sessions.ts";
import { joinActivity, type KnownSession } from "./join-activity.ts";
import { readSessionActivity, type SessionActivity } from "./session-activity.ts";

/** When agents' tools ran in a workspace since a snapshot, from the transcripts of its sessions; null if unknown. */
export async function agentActivity(checkpoint: Manifest, environment: Environment): Promise<Activity | null> {
  const { home, env, now } = environment;
  const { root, session: maker } = checkpoint;
  const checkpointAt = new Date(checkpoint.createdAt);
  const sessions = countedSessions(await listSessions(home), { root, maker, callers: surroundingAgents(env) });
  if (sessions === null) return null;
  const known = sessions
    .filter(({ isNeeded, record }) => isNeeded || lastSeenAt(record) >= checkpointAt.getTime() - DAY)
    .map((session) => knownOf(session, root, environment));
  return joinActivity(known, { checkpointAt, now: now() });
}

/** A session of the previous day may have left a task running; older ones are not read for that. */
const DAY = 86_400_000;

/** All sessions in the store; none if it does not exist or cannot be used. */
async function listSessions(home: string): Promise<readonly Session[]> {
  // Opening a missing store would create it.
  if (!existsSync(join(home, "checkpoint.db"))) return [];
  const opened = await openStore(home);
  if (!opened.ok) return [];
  try {
    return await opened.store.sessions.list();
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  } finally {
    await opened.store.close();
  }
}

function lastSeenAt(record: Session | null): number {
  const times = [record?.firstSeenAt, record?.lastMessageSentAt, record?.lastStopAt];
  return Math.max(...times.map((time) => time?.getTime() ?? 0));
}

function knownOf(session: CountedSession, root: string, environment: Environment): KnownSession {
  const { record, isCalling, isNeeded } = session;
  return {
    read: readSession(session, root, environment),
    firstSeenAt: record?.firstSeenAt ?? null,
    lastPromptAt: record?.lastMessageSentAt ?? null,
    lastStopAt: record?.lastStopAt ?? null,
    isCalling,
    isNeeded,
  };
}

/** The first readable transcript among the agents that may own the session. */
function readSession(
  { agents, sessionId, record }: CountedSession,
  root: string,
  { userHome, env }: Environment,
): SessionActivity | null {
  for (const agentName of record === null ? agents : [record.agent]) {
    const projectPath = record?.projectPath ?? root;
    const path = record?.transcriptPath ?? findTranscript({ agentName, sessionId, projectPath, home: userHome, env });
    const read = path === null ? null : readSessionActivity(path, agentName);
    if (read !== null) return read;
  }
  return null;
}
