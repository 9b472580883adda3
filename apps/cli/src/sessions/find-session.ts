import { surroundingAgents } from "@agent-checkpoint/agents";
import type { Session, Store } from "@agent-checkpoint/store";
import type { AgentName } from "@agent-checkpoint/transcript";
import { refused } from "../cli-error.ts";
import type { Environment } from "../environment.ts";
import { visible } from "../terminal/visible.ts";
import { repositoryOf } from "./repository-of.ts";

export interface SessionChoice {
  /** Its id or a prefix. */
  readonly session?: string | undefined;
  readonly agent?: AgentName | undefined;
}

/** A session of an agent; its record is null if the store does not know it. */
export interface FoundSession {
  readonly agent: AgentName;
  readonly sessionId: string;
  readonly record: Session | null;
}

/** The named session, otherwise the one that runs this program, otherwise the newest in the repository. */
export async function findSession(
  store: Store,
  { env, cwd }: Pick<Environment, "env" | "cwd">,
  { session, agent }: SessionChoice,
): Promise<FoundSession> {
  if (session !== undefined) return namedSession(await store.sessions.list({ agent }), session);
  const around = surroundingAgents(env).filter((candidate) => agent === undefined || candidate.name === agent);
  if (around.length > 1)
    throw refused(`this is a shell call of ${around.map(({ title }) => title).join(" inside ")}`, NAME_ONE);
  const [own] = around;
  if (own?.sessionId != null) {
    const { name, sessionId } = own;
    const [record = null] = await store.sessions.list({ agent: name, sessionId });
    return { agent: name, sessionId, record };
  }
  return newestSession(await store.sessions.list({ agent: own?.name ?? agent }), repositoryOf(cwd));
}

const NAME_ONE = "Choose one with --agent, or with --session and its id.";

function namedSession(sessions: readonly Session[], id: string): FoundSession {
  const exact = sessions.filter(({ sessionId }) => sessionId === id);
  const matches = exact.length > 0 ? exact : sessions.filter(({ sessionId }) => sessionId.startsWith(id));
  const [match] = matches;
  if (match === undefined || id === "")
    throw refused(
      `no session ${visible(id)} is known`,
      "A session is known from its first prompt or stop, if the hook is set up: run checkpoint doctor.",
    );
  if (matches.length > 1)
    throw refused(
      `${matches.length} sessions begin with ${visible(id)}: ${matches.slice(0, 5).map(describe).join(", ")}`,
      NAME_ONE,
    );
  return found(match);
}

function newestSession(sessions: readonly Session[], repository: string): FoundSession {
  const newest = sessions.find(({ projectPath }) => projectPath !== null && repositoryOf(projectPath) === repository);
  if (newest === undefined)
    throw refused(
      `no session is known in ${visible(repository)}`,
      "Start an agent here with the hook set up (run checkpoint doctor), or name a session with --session.",
    );
  return found(newest);
}

function found(record: Session): FoundSession {
  return { agent: record.agent, sessionId: record.sessionId, record };
}

function describe({ agent, sessionId }: Session): string {
  return `${agent} ${visible(sessionId)}`;
}
