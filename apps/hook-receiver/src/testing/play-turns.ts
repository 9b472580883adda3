import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordedEvent, type Scenario, type Step, writeClaudeTranscript } from "@agent-checkpoint/fixtures";
import { openStore, type Store } from "@agent-checkpoint/store";
import { vi } from "vitest";
import { callHook, type HookAnswer } from "./hook-process.ts";
import { passes, stageScenario } from "./stage-scenario.ts";

export interface PlayedSession {
  readonly project: string;
  readonly home: string;
  /** The answer to the stop of the first turn. */
  readonly first: HookAnswer;
  /** Goes on in the first turn after its block, and stops again. */
  readonly goOn: (calls: readonly Step[], lastMessage?: string) => Promise<HookAnswer>;
  /** Plays a further turn: its prompt, what is done to the files, its calls in the transcript, its stop. */
  readonly turn: (calls: readonly Step[], change: (project: string) => unknown) => Promise<HookAnswer>;
  /** Waits until the process beside the prompt has settled the outcomes of so many stops. */
  readonly settled: (stops: number) => Promise<void>;
  readonly withStore: <Result>(use: (store: Store) => Promise<Result>) => Promise<Result>;
}

export interface FirstTurn {
  /** What its stop event says besides; null for a turn that does not stop. */
  readonly changes?: object | null;
  /** Whether the turn changes the file, which otherwise is as it was at the prompt. */
  readonly isNew?: boolean;
  /** The text of a checkpoint.config.json that is there before the session. */
  readonly config?: object;
}

/** A session of Claude Code whose first turn is that of a scenario, already stopped. */
export async function stopFirst(scenario: Scenario, given: FirstTurn = {}): Promise<PlayedSession> {
  const { changes = {}, isNew = true, config } = given;
  const { prompt, stop, project, home, facts } = await stageScenario(scenario, "claude");
  if (config !== undefined) writeFileSync(join(project, "checkpoint.config.json"), JSON.stringify(config));
  await prompt();
  // What stays as it was at the first prompt is older than the session.
  if (isNew) write("src/server.ts", "changed")(project);
  const transcript = join(project, "..", "session.jsonl");
  const first = changes === null ? passes("claude") : await stop(changes);
  let turns = 1;
  const withStore: PlayedSession["withStore"] = async (use) => {
    const opened = await openStore(home, { busyTimeoutMs: 5000 });
    if (!opened.ok) throw new Error(opened.detail);
    try {
      return await use(opened.store);
    } finally {
      await opened.store.close();
    }
  };
  return {
    project,
    home,
    first,
    goOn: (calls, lastMessage = facts.lastMessage) => {
      const later = { ...facts, lastMessage, promptAt: new Date(facts.promptAt.getTime() + 300_000) };
      // The prompt, which is the first line, is not repeated.
      const lines = writeClaudeTranscript(calls, later).split("\n").slice(1).join("\n");
      appendFileSync(transcript, lines.replaceAll("toolu_", "toolu_more_"));
      return stop({ stop_hook_active: true }, 120);
    },
    turn: async (calls, change) => {
      turns += 1;
      const promptAt = new Date(facts.promptAt.getTime() + turns * 600_000);
      const later = { ...facts, promptId: `turn-${turns}`, prompt: `Go on ${turns}`, promptAt };
      const send = (event: object, minutes: number) =>
        callHook({
          agent: "claude",
          event: { ...event, session_id: facts.sessionId, prompt_id: later.promptId, transcript_path: transcript },
          env: {
            CHECKPOINT_HOME: home,
            CLAUDE_PROJECT_DIR: project,
            CHECKPOINT_NOW: new Date(promptAt.getTime() + minutes * 60_000).toISOString(),
          },
        });
      await send({ ...recordedEvent("claude/user-prompt-submit"), prompt: later.prompt }, 0);
      await change(project);
      appendFileSync(transcript, writeClaudeTranscript(calls, later).replaceAll("toolu_", `toolu_${turns}_`));
      return send({ hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: later.lastMessage }, 4);
    },
    settled: (stops) =>
      vi.waitFor(
        async () => {
          const outcomes = await withStore((store) => store.outcomes.list());
          const count = new Set(outcomes.map(({ stopId }) => stopId)).size;
          if (count < stops) throw new Error(`${count} of ${stops} stops are settled`);
        },
        { timeout: 30_000, interval: 100 },
      ),
    withStore,
  };
}

export const write =
  (file: string, text: string) =>
  (project: string): void =>
    writeFileSync(join(project, file), text);
