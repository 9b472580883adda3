import type { Baseline } from "@agent-checkpoint/store";
import { journalPrompt, rememberPrompted, wasPrompted } from "@agent-checkpoint/store/files";
import type { Outcome, Place, PromptEvent } from "./events.ts";
import { nameTurn, opensTurn } from "./turn-names.ts";

/** Tells what was dirty before a session; null where nobody wants to know, or nothing can be told. */
export type TakeBaseline = (projectPath: string) => Promise<Baseline | null>;

/**
 * Notes that a human spoke; of a session's first prompt also what was dirty before it.
 * The database is left alone: who opens it next takes the prompt in.
 */
export async function notePrompt(
  event: PromptEvent,
  { agent, home, now }: Pick<Place, "agent" | "home" | "now">,
  takeBaseline: TakeBaseline,
): Promise<Outcome> {
  const { sessionId, projectPath, transcriptPath } = event;
  if (!opensTurn(event)) return { problem: null };
  if (sessionId === null) return { problem: "a prompt without a session id" };
  const session = { agent, sessionId };
  const isFirst = !wasPrompted(home, session);
  const baseline = isFirst ? await takeBaseline(projectPath) : null;
  const prompt = { ...session, projectPath, transcriptPath, turn: nameTurn(event, now), at: now };
  journalPrompt(home, { ...prompt, ...(baseline !== null && { baseline }) });
  if (isFirst) rememberPrompted(home, session);
  return { problem: null };
}
