import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadScenario } from "@agent-checkpoint/fixtures";
import { openStore } from "@agent-checkpoint/store";
import { expect, test } from "vitest";
import { callHook, reasonOf } from "./testing/hook-process.ts";
import { stageScenario } from "./testing/stage-scenario.ts";

const STOPS = 200;

function logOf(home: string): string {
  const log = join(home, "checkpoint.log");
  return existsSync(log) ? readFileSync(log, "utf8") : "";
}

test(
  `${STOPS} stops of different sessions on one new database, started together: every one answers, none is lost or doubled`,
  { timeout: 180_000 },
  async () => {
    const { home, project } = await stageScenario(loadScenario("daemon-change-not-restarted"), "claude");
    const sessions = Array.from({ length: STOPS }, (_, index) => `session-${String(index).padStart(3, "0")}`);
    const answers = await Promise.all(
      sessions.map((session_id) =>
        callHook({
          agent: "claude",
          event: {
            hook_event_name: "Stop",
            session_id,
            prompt_id: `prompt-of-${session_id}`,
            transcript_path: join(project, "..", "session.jsonl"),
          },
          file: join(project, "..", `${session_id}.json`),
          env: { CHECKPOINT_HOME: home, CLAUDE_PROJECT_DIR: project },
        }),
      ),
    );
    const blocked = answers.filter(
      (answer) => answer.exitCode === 0 && answer.stderr === "" && reasonOf(answer)?.includes("make restart"),
    );
    expect(logOf(home)).toEqual("");
    expect(blocked).toHaveLength(STOPS);

    const opened = await openStore(home);
    if (!opened.ok) throw new Error(opened.detail);
    const stops = await opened.store.stops.list({ limit: 1000 });
    await opened.store.close();
    expect(stops.map(({ sessionId }) => sessionId).toSorted()).toEqual(sessions);
    expect(stops.every(({ decision }) => decision === "block")).toBe(true);
  },
);
