import { findGitRoot, peekHead } from "@agent-checkpoint/git";
import type { Store } from "@agent-checkpoint/store";
import type { Outcome, Place, PromptEvent } from "./events.ts";
import { rememberConfigs } from "../rules/read-configs.ts";
import { takeBaseline } from "../session/baseline.ts";
import { nameTurn } from "./stop-facts.ts";

/** Records a prompt that opens a turn; of a session's first one also which files were changed before it. */
export async function notePrompt(
  event: PromptEvent,
  { agent, home, now }: Place,
  { sessions }: Pick<Store, "sessions">,
): Promise<Outcome> {
  const { sessionId, projectPath, transcriptPath } = event;
  if (sessionId === null) return { problem: "a prompt without a session id" };
  const [session] = await sessions.list({ agent, sessionId });
  const isFirst = session?.lastMessageSentAt == null && session?.lastStopAt == null;
  const baseline = (isFirst ? await takeBaseline(projectPath, home) : null) ?? undefined;
  await sessions.prompt({
    agent,
    sessionId,
    projectPath,
    transcriptPath,
    turn: nameTurn(event, now),
    at: now,
    baseline,
    ...placeOf(projectPath, home),
  });
  return { problem: null };
}

/**
 * Where the turn begins: a commit within it does not end the question, and a change of the rules within it counts from the
 * next prompt on.
 */
function placeOf(projectPath: string, home: string) {
  const root = findGitRoot(projectPath);
  return { head: root === null ? null : peekHead(root), configs: rememberConfigs(root ?? projectPath, home) };
}
