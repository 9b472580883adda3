import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Activity, Manifest } from "@agent-checkpoint/snapshots";
import { countJournal, openStore, type Session, StoreError } from "@agent-checkpoint/store";
import { findTranscript } from "@agent-checkpoint/transcript";
import { surroundingAgents } from "../../sessions/agent-environment.ts";
import type { Surroundings } from "../../surroundings.ts";
import { type CountedSession, countedSessions } from "./counted-sessions.ts";
import { joinActivity, type KnownSession } from "./join-activity.ts";
import { readSessionActivity, type SessionActivity } from "./session-activity.ts";

/** When tools of agents ran in a workspace since a checkpoint, by the transcripts of its sessions; null where nobody can tell. */
export async function agentActivity(checkpoint: Manifest, surroundings: Surroundings): Promise<Activity | null> {
  const { home, env, now } = surroundings;
  const { root, session: maker } = checkpoint;
  const checkpointAt = new Date(checkpoint.createdAt);
  const sessions = countedSessions(await listSessions(home), { root, maker, callers: surroundingAgents(env) });
  if (sessions === null) return null;
  const known = sessions
    .filter(({ isNeeded, record }) => isNeeded || lastHeardOf(record) >= checkpointAt.getTime() - DAY)
    .map((session) => knownOf(session, root, surroundings));
  return joinActivity(known, { checkpointAt, now: now() });
}

/** A session of the day before could have left a task running; an older one is not read for that. */
const DAY = 86_400_000;

/** All sessions that the hook has heard of; none where the store is not there or cannot be used. */
async function listSessions(home: string): Promise<readonly Session[]> {
  // To open one that is not there would make it, and nothing was noted yet.
  if (!existsSync(join(home, "checkpoint.db")) && countJournal(home) === 0) return [];
  const opened = await openStore(home);
  if (!opened.ok) return [];
  try {
    return await opened.store.listSessions();
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  } finally {
    await opened.store.close();
  }
}

function lastHeardOf(record: Session | null): number {
  const times = [record?.firstSeenAt, record?.lastMessageSentAt, record?.lastStopAt];
  return Math.max(...times.map((time) => time?.getTime() ?? 0));
}

function knownOf(session: CountedSession, root: string, surroundings: Surroundings): KnownSession {
  const { record, isCalling, isNeeded } = session;
  return {
    read: readSession(session, root, surroundings),
    firstSeenAt: record?.firstSeenAt ?? null,
    lastPromptAt: record?.lastMessageSentAt ?? null,
    lastStopAt: record?.lastStopAt ?? null,
    isCalling,
    isNeeded,
  };
}

/** The first transcript that can be read, of the agents whose session it may be. */
function readSession(
  { agents, sessionId, record }: CountedSession,
  root: string,
  { userHome, env }: Surroundings,
): SessionActivity | null {
  for (const agentName of record === null ? agents : [record.agent]) {
    const projectPath = record?.projectPath ?? root;
    const path = record?.transcriptPath ?? findTranscript({ agentName, sessionId, projectPath, home: userHome, env });
    const read = path === null ? null : readSessionActivity(path, agentName);
    if (read !== null) return read;
  }
  return null;
}
