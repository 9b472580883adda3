import { getCheckpointContent, MESSAGE_PREFIX } from "@agent-checkpoint/composer";
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
  return `thread ${thread.id} in ${thread.cwd ?? "an unknown folder"}\nroute ${route ?? "none"}: ${why}\nwould send:\n${what}\n`;
}
