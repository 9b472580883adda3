import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Outcome, openStore, type Stop } from "@agent-checkpoint/store";

export interface RecordShape {
  readonly stops: number;
  readonly now: Date;
  readonly repositories?: readonly string[];
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What agents do with a rule, one after the other. */
const HABITS: Readonly<Record<string, readonly Outcome["outcome"][]>> = {
  tests: ["done", "done", "partly", "done", "ignored", "done", "unknown"],
  "check-logs": ["ignored", "ignored", "waived", "ignored", "done", "ignored"],
};

/** Fills the store of a home with ninety days of stops: one in four a block, a rule that is heard and one that is noise. */
export async function stageRecord(
  home: string,
  { stops, now, repositories = ["/repo/shop"] }: RecordShape,
): Promise<void> {
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  const { store } = opened;
  const outcomes: Outcome[] = [];
  const all = Array.from({ length: stops }, (_, index): Stop => {
    const at = new Date(now.getTime() - (stops - index) * Math.floor((88 * DAY_MS) / (stops + 1)));
    const isBlock = index % 4 === 0;
    const isOld = now.getTime() - at.getTime() > 9 * DAY_MS;
    const agent = index % 5 === 0 ? "codex" : index % 7 === 0 && isOld ? "gemini" : "claude";
    const actions = !isBlock ? [] : index % 12 === 0 ? ["tests", "check-logs"] : ["tests"];
    const repository = repositories[Math.floor(index / 4) % repositories.length] ?? null;
    const shared = { stopId: index + 1, agent, repository, at, note: null, judgedAt: at } as const;
    for (const rule of actions) {
      const habit = HABITS[rule] ?? [];
      const outcome = habit[Math.floor(index / 12) % habit.length] ?? "done";
      const why = outcome === "unknown" ? "transcript-gone" : null;
      outcomes.push({ ...shared, rule, kind: "action", mode: "require", outcome, why, seconds: 80, tokens: 4000 });
    }
    if (index % 10 === 1)
      outcomes.push({
        ...shared,
        rule: "lint",
        kind: "check",
        mode: "shadow",
        outcome: "done",
        why: null,
        seconds: null,
        tokens: null,
      });
    return {
      agent,
      sessionId: `session-${Math.floor(index / 9)}`,
      projectPath: repository,
      repository,
      turn: `turn-${index}`,
      at,
      decision: isBlock ? "block" : "pass",
      reason: isBlock ? "missing-actions" : "all-clear",
      actions,
      observations: [],
      durationMs: 40 + (index % 30),
    };
  });
  await store.outcomes.record(outcomes);
  await store.close();
  // In every repository, the rules are those that were asked for.
  writeFileSync(join(home, "config.json"), JSON.stringify({ preset: "teleclaude" }));
  insertStops(home, all);
}

/** All in one transaction: a hundred thousand, each in its own, would take a minute. */
function insertStops(home: string, stops: readonly Stop[]): void {
  const database = new DatabaseSync(join(home, "checkpoint.db"));
  const insert = database.prepare(
    "INSERT INTO stops (agent, sessionId, projectPath, repository, turn, at, decision, reason, actions, observations, durationMs, route, isCanary) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '[]', ?, 'hook', 0)",
  );
  const note = database.prepare(
    "INSERT INTO sessions (agent, sessionId, firstSeenAt, lastSeenAt, lastStopAt, touchedFiles) VALUES (?1, ?2, ?3, ?3, ?3, '[]') ON CONFLICT DO UPDATE SET lastSeenAt = ?3, lastStopAt = ?3",
  );
  database.exec("BEGIN");
  for (const { agent, sessionId, projectPath, repository, turn, at, decision, reason, actions, durationMs } of stops) {
    note.run(agent, sessionId, at.getTime());
    insert.run(
      agent,
      sessionId,
      projectPath,
      repository ?? null,
      turn,
      at.getTime(),
      decision,
      reason,
      JSON.stringify(actions),
      durationMs,
    );
  }
  database.exec("COMMIT");
  database.close();
}
