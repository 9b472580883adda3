import { resolve } from "node:path";
import { AGENTS } from "@agent-checkpoint/agents";
import type { Store } from "@agent-checkpoint/store";
import { AGENT_NAMES, type AgentName, findTranscript, recogniseTranscript } from "@agent-checkpoint/transcript";
import { CliError, refused } from "../cli-error.ts";
import type { Environment } from "../environment.ts";
import { visible } from "../terminal/visible.ts";
import { findSession } from "./find-session.ts";

export interface PreviewChoice {
  readonly agent?: AgentName | undefined;
  readonly session?: string | undefined;
  readonly transcript?: string | undefined;
  /** Whether to judge only the files. */
  readonly filesOnly?: boolean | undefined;
}

/** The session whose turn is judged. */
export interface ChosenSession {
  readonly agent: AgentName;
  /** Null if the store does not know the session: then the turn cannot be already blocked or too young. */
  readonly sessionId: string | null;
  readonly transcriptPath: string | null;
}

/** The store, or why there is none. */
export type StoreIfAny =
  | { readonly store: Store; readonly absence: null }
  | { readonly store: null; readonly absence: string };

type Around = Pick<Environment, "cwd" | "env" | "userHome">;

/** The chosen session, or why there is none and only the files are judged. */
export async function chooseSession(
  { store, absence }: StoreIfAny,
  around: Around,
  choice: PreviewChoice,
): Promise<ChosenSession | { readonly none: string }> {
  if (choice.filesOnly === true) return { none: "as asked" };
  if (choice.transcript !== undefined) return ofTranscript(store, resolve(around.cwd, choice.transcript), choice.agent);
  const known = store === null ? { none: absence } : await knownSession(store, around, choice);
  if (!("none" in known) || choice.session === undefined) return known;
  const found = ofUnknownSession(choice.session, around, choice.agent);
  if (found !== null) return found;
  throw refused(known.none, "Name its transcript with --transcript instead.");
}

async function ofTranscript(store: Store | null, path: string, agent: AgentName | undefined): Promise<ChosenSession> {
  const found = recogniseTranscript(path);
  if (found.status === "refused")
    throw refused(
      `${visible(path)} is not a transcript of a session (${found.reason})`,
      `Name a file that one of these agents wrote: ${AGENTS.map(({ title }) => title).join(", ")}.`,
    );
  const name = agent ?? found.agentName;
  const { sessionId } = found;
  const [record = null] = sessionId === null ? [] : ((await store?.sessions.list({ agent: name, sessionId })) ?? []);
  return { agent: name, sessionId: record?.sessionId ?? null, transcriptPath: path };
}

async function knownSession(
  store: Store,
  around: Around,
  choice: PreviewChoice,
): Promise<ChosenSession | { readonly none: string }> {
  try {
    const { agent, sessionId, record } = await findSession(store, around, choice);
    const { cwd: projectPath, userHome: home, env } = around;
    const transcriptPath =
      record?.transcriptPath ?? findTranscript({ agentName: agent, sessionId, projectPath, home, env });
    return { agent, sessionId, transcriptPath };
  } catch (error) {
    if (error instanceof CliError) return { none: error.message };
    throw error;
  }
}

/** A session that the store does not know may still have a transcript. */
function ofUnknownSession(sessionId: string, around: Around, agent: AgentName | undefined): ChosenSession | null {
  const { cwd: projectPath, userHome: home, env } = around;
  for (const agentName of agent === undefined ? AGENT_NAMES : [agent]) {
    const transcriptPath = findTranscript({ agentName, sessionId, projectPath, home, env });
    if (transcriptPath !== null) return { agent: agentName, sessionId: null, transcriptPath };
  }
  return null;
}
