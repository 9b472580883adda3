import { getCheckpointContent, MESSAGE_PREFIX } from "@agent-checkpoint/composer";
import { inlineCode } from "@agent-checkpoint/heuristics";
import { chooseRoute, type RouteFacts } from "../routes/choose-route.ts";
import type { FinishedTurn } from "./live-threads.ts";

/** What would be sent where, as text for a person; nothing is sent or recorded. */
export async function previewTurn(
  { thread, rolloutPath, turnId, finishedAt }: FinishedTurn,
  home: string,
  facts: Omit<RouteFacts, "codexVersion">,
): Promise<string> {
  const content = await getCheckpointContent({
    agentName: "codex",
    projectPath: thread.cwd ?? "/",
    transcriptPath: rolloutPath,
    workingSlug: null,
    hints: { promptId: turnId ?? undefined, ownMessages: [MESSAGE_PREFIX] },
    now: finishedAt,
    home,
  });
  const { route, why } = chooseRoute({ ...facts, codexVersion: thread.cliVersion });
  const what = content.deliver ? content.message : `nothing (${content.reason})`;
  return `thread ${shown(thread.id)} in ${shown(thread.cwd ?? "an unknown folder")}\nroute ${route ?? "none"}: ${shown(why)}\nwould send:\n${what}\n`;
}

const MAX_PATH_LENGTH = 500;

function shown(text: string): string {
  return inlineCode(text, MAX_PATH_LENGTH).slice(1, -1);
}
