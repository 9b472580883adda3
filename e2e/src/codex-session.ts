import { setTimeout as sleep } from "node:timers/promises";
import type { Stop } from "@agent-checkpoint/store";
import { onTestFinished } from "vitest";
import { type CodexStage, type CodexStageOptions, openCodexStage } from "./codex-stage.ts";
import { DAEMON } from "./daemon-change.ts";
import type { Screen } from "./open-screen.ts";

/** What Codex is started with to do everything without asking. */
export const UNASKED: readonly string[] = ["--dangerously-bypass-approvals-and-sandbox"];

/** A part of the line below the composer that shows once a session is there. */
export const READY = " · ~/project";

/** The settings in which the terminal's title holds the thread's id. */
export const TITLED = '[tui]\nterminal_title = ["activity", "run-state", "thread-id"]\n';

/** How long to wait for what must come. */
export const PATIENCE = { timeout: 30_000, interval: 100 } as const;

/** Opens a stage that is closed when the test is over; by default its project is the one with the daemon. */
export async function openTestStage(
  options: Omit<CodexStageOptions, "files"> & Partial<CodexStageOptions>,
): Promise<CodexStage> {
  const stage = await openCodexStage({ files: DAEMON, ...options });
  onTestFinished(stage.close);
  return stage;
}

/** Waits for a session that was just started, and enters its first prompt. */
export async function begin(screen: Screen, prompt: string): Promise<void> {
  await screen.waitFor(READY);
  // The composer of the start-up screen is replaced once more.
  await sleep(1000);
  await screen.enter(prompt);
}

/** Stops in a few words each. */
export function decisionsOf(stops: readonly Stop[]): readonly string[] {
  return stops.map(({ decision, route, reason }) => `${decision} by ${route}: ${reason}`);
}
