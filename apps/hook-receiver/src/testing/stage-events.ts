import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  AGENT_KITS,
  loadScenario,
  makeRepository,
  PROMPT_AT,
  recordedEvent,
  SCENARIO_AGENTS,
  type ScenarioAgent,
  type SessionFacts,
  stopAt,
} from "@agent-checkpoint/fixtures";
import { scratchFolder } from "./scratch.ts";

const EVENTS = fileURLToPath(new URL("../../../../fixtures/hook-events", import.meta.url));

/** An event as an agent sent it, cast into a place of a test's own. */
export interface StagedEvent {
  readonly agent: ScenarioAgent;
  readonly name: string;
  /** The event of a session. */
  readonly text: (sessionId: string) => string;
}

/** The transcript of one agent. */
export interface StagedTranscript {
  readonly agent: ScenarioAgent;
  readonly path: string;
  readonly bytes: Buffer;
}

/** A repository with an unfinished turn and its transcripts, one per agent, and every recorded event as if it came from there. */
export interface StagedEvents {
  readonly events: readonly StagedEvent[];
  readonly project: string;
  /** The transcripts of the turn, and where they lie. */
  readonly transcripts: readonly StagedTranscript[];
  readonly env: Readonly<Record<string, string>>;
}

/** Lays the place out; the hook's clock stands at the end of the turn. */
export async function stageEvents(): Promise<StagedEvents> {
  const folder = scratchFolder();
  const project = join(folder, "project");
  const scenario = loadScenario("daemon-change-not-restarted");
  await makeRepository(project, scenario);
  mkdirSync(join(folder, "user"));
  const facts: SessionFacts = {
    sessionId: "29447fab-0000-4000-8000-000000000001",
    promptId: "29447fab-0000-4000-8000-000000000002",
    prompt: scenario.prompt,
    projectPath: project,
    promptAt: PROMPT_AT,
    lastMessage: "Done, it works.",
  };
  const transcripts = SCENARIO_AGENTS.map((agent) => {
    const path = join(folder, `${agent}.jsonl`);
    const bytes = Buffer.from(AGENT_KITS[agent].write(scenario.turn ?? [], facts));
    writeFileSync(path, bytes);
    return { agent, path, bytes };
  });
  const events = transcripts.flatMap(({ agent, path }) => {
    const names = globSync("*.json", { cwd: join(EVENTS, agent) }).map((file) => basename(file, ".json"));
    return names.toSorted().map((name): StagedEvent => {
      const recorded = recordedEvent(`${agent}/${name}`);
      // What it says last is awaited in the transcript.
      const said = "last_assistant_message" in recorded ? { last_assistant_message: facts.lastMessage } : {};
      const event = { ...recorded, ...said, transcript_path: path, cwd: project };
      return { agent, name, text: (sessionId) => JSON.stringify({ ...event, session_id: sessionId }) };
    });
  });
  return {
    events,
    project,
    transcripts,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: join(folder, "user"),
      CHECKPOINT_HOME: join(folder, "home"),
      CHECKPOINT_NOW: stopAt(scenario).toISOString(),
    },
  };
}
