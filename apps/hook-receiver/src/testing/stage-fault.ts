import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  AGENT_KITS,
  loadScenario,
  makeRepository,
  PROMPT_AT,
  type ScenarioAgent,
  type SessionFacts,
  stopAt,
} from "@agent-checkpoint/fixtures";
import { callHook, type HookAnswer, type HookInput } from "./hook-process.ts";
import { scratchFolder } from "./scratch.ts";
import { openSqlite, settle } from "./sqlite.ts";

const scenario = loadScenario("daemon-change-not-restarted");

/** A stop that passes. */
export const SILENCE: HookAnswer = { stdout: "", stderr: "", exitCode: 0 };

/** How one call of the program differs from the usual. */
export interface CallChanges extends Partial<Pick<HookInput, "agent" | "under" | "cwd" | "file">> {
  readonly event?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly at?: Date;
}

/** A turn that is about to stop and would be blocked, in a home that has seen another one stop before. */
export interface StagedFault {
  readonly project: string;
  readonly home: string;
  readonly database: string;
  readonly transcript: string;
  readonly facts: SessionFacts;
  readonly env: Readonly<Record<string, string>>;
  /** The event of the stop; fields may be changed. */
  readonly event: (changes?: object) => object;
  readonly prompt: (changes?: CallChanges) => Promise<HookAnswer>;
  readonly stop: (changes?: CallChanges) => Promise<HookAnswer>;
}

/** The row that every staged home holds before its fault. */
export const ROW_BEFORE = "before: block missing-actions";
/** The row of the stop that the fault is about, once it is judged. */
export const ROW_NOW = "now: block missing-actions";

/** Lays the turn out, with the record of the other session already committed. */
export async function stageFault(agent: ScenarioAgent = "claude"): Promise<StagedFault> {
  const folder = scratchFolder();
  const [project, home] = [join(folder, "project"), join(folder, "home")];
  const transcript = join(folder, "session.jsonl");
  await makeRepository(project, scenario);
  const facts: SessionFacts = {
    sessionId: "now",
    promptId: "turn-now",
    prompt: scenario.prompt,
    projectPath: project,
    promptAt: PROMPT_AT,
    lastMessage: "Done, it works.",
  };
  writeFileSync(transcript, AGENT_KITS[agent].write(scenario.turn ?? [], facts));
  const events = AGENT_KITS[agent].events(facts, transcript);
  const env = { CHECKPOINT_HOME: home, [events.projectVariable]: project };
  const event = (changes: object = {}) => ({ ...events.stop, ...changes });
  const call = (usual: object, usualTime: Date, { event: changes, env: more, at = usualTime, ...rest }: CallChanges) =>
    callHook({
      agent,
      event: { ...usual, ...changes },
      env: { ...env, CHECKPOINT_NOW: at.toISOString(), ...more },
      ...rest,
    });
  const staged: StagedFault = {
    project,
    home,
    database: join(home, "checkpoint.db"),
    transcript,
    facts,
    env,
    event,
    prompt: (changes = {}) => call(events.prompt, PROMPT_AT, changes),
    stop: (changes = {}) => call(events.stop, stopAt(scenario), changes),
  };
  await staged.stop({ event: { session_id: "before", prompt_id: "turn-before" } });
  holdSettling(staged.database);
  settle(staged.database);
  return staged;
}

/** Keeps the prompt from starting the process that settles outcomes, which would meet the fault first. */
function holdSettling(database: string): void {
  const sqlite = openSqlite(database);
  sqlite.prepare("INSERT INTO meta (key, value) VALUES ('settled_at', ?)").run(PROMPT_AT.getTime());
  sqlite.close();
}

/** Every stop that a database holds, oldest first; throws where the file is not whole. */
export function storedStops(database: string): readonly string[] {
  const sqlite = openSqlite(database, { readonly: true });
  try {
    const found = sqlite.pragma("integrity_check", { simple: true });
    if (found !== "ok") throw new Error(`${dirname(database)}: ${String(found)}`);
    const rows = sqlite.prepare("SELECT sessionId, decision, reason FROM stops ORDER BY id").all();
    return (rows as Record<string, string>[]).map((row) => `${row["sessionId"]}: ${row["decision"]} ${row["reason"]}`);
  } finally {
    sqlite.close();
  }
}
