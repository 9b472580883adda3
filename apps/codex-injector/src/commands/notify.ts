import { setTimeout as sleep } from "node:timers/promises";
import { appendLog } from "@agent-checkpoint/store";
import { findTranscript } from "@agent-checkpoint/transcript";
import { createInjector } from "../injector.ts";
import type { Settings } from "../settings.ts";
import type { TurnToJudge } from "../turns/live-threads.ts";
import { finishedTurnAt } from "../turns/polled-thread.ts";

const COMPLETE_WITHIN_MS = 5000;
const POLL_MS = 50;

/** What Codex passes to its notify program. */
interface Notification {
  readonly threadId: string;
  readonly turnId: string;
  readonly cwd: string;
}

/** One finished turn, as Codex reports it: judged once its rollout is complete. */
export async function runNotify(settings: Settings, json: string): Promise<number> {
  const notification = parseNotification(json);
  if (notification === null) return 0;
  const turn = await completeTurn(notification, settings);
  // Codex also reports the threads that make titles, which have no rollout, and sub-agents, which are not ours.
  if (turn === null) return 0;
  const ending = new AbortController();
  process.on("SIGTERM", () => ending.abort());
  const injector = await createInjector(settings, { dryRun: false, signal: ending.signal });
  injector.take(turn);
  await injector.idle();
  return 0;

  function parseNotification(text: string): Notification | null {
    try {
      const { type, "thread-id": threadId, "turn-id": turnId, cwd } = JSON.parse(text) as Record<string, unknown>;
      if (type !== "agent-turn-complete") return null;
      if (typeof threadId === "string" && typeof turnId === "string" && typeof cwd === "string")
        return { threadId, turnId, cwd };
    } catch {
      // Reported below, like every other text that is no notification.
    }
    appendLog(settings.home, {
      level: "warn",
      event: "codex-notify",
      detail: "the argument is not a notification of Codex",
    });
    return null;
  }
}

async function completeTurn({ threadId, turnId, cwd }: Notification, { env }: Settings): Promise<TurnToJudge | null> {
  const end = performance.now() + COMPLETE_WITHIN_MS;
  do {
    const path = findTranscript({ agentName: "codex", sessionId: threadId, projectPath: cwd, env });
    const found = path === null ? null : finishedTurnAt(path, true);
    if (found !== null && found.turn.thread.id === threadId && [turnId, null].includes(found.turn.turnId)) return found;
    await sleep(POLL_MS);
  } while (performance.now() < end);
  return null;
}
