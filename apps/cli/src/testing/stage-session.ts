import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  AGENT_KITS,
  makeRepository,
  PROMPT_AT,
  type Scenario,
  type ScenarioAgent,
  type SessionFacts,
  type Step,
  stopAt,
} from "@agent-checkpoint/fixtures";
import { execa } from "execa";

/** The built hook, as agents call it. */
const HOOK = fileURLToPath(new URL("../../../hook-receiver/dist/checkpoint-hook.cjs", import.meta.url));

/** A scenario as a session in a real repository, with the built hook to call. */
export interface StagedSession {
  readonly project: string;
  readonly transcriptPath: string;
  readonly facts: SessionFacts;
  readonly stoppedAt: Date;
  readonly prompt: () => Promise<string>;
  /** Sends the stop event at a time, and returns what the hook printed. */
  readonly stop: (at?: Date, changes?: object) => Promise<string>;
  /** Has the agent go on in the same turn after its stop. */
  readonly goOn: (steps: readonly Step[]) => void;
}

/** Lays a scenario out as a session of an agent, in folders of their own below a folder. */
export async function stageSession(
  scenario: Scenario,
  { agent, folder, home }: { readonly agent: ScenarioAgent; readonly folder: string; readonly home: string },
): Promise<StagedSession> {
  if (!existsSync(HOOK)) throw new Error("build first: npm run build");
  const kit = AGENT_KITS[agent];
  const sessionId = randomUUID();
  const project = join(folder, `project-${sessionId}`);
  const transcriptPath = join(folder, kit.place?.(sessionId) ?? `${sessionId}.jsonl`);
  mkdirSync(dirname(transcriptPath), { recursive: true });
  await makeRepository(project, scenario);
  const facts: SessionFacts = {
    sessionId,
    promptId: randomUUID(),
    prompt: scenario.prompt,
    projectPath: project,
    promptAt: PROMPT_AT,
    lastMessage: "Done, it works.",
  };
  if (scenario.turn !== null) writeFileSync(transcriptPath, kit.write(scenario.turn, facts));
  const events = kit.events(facts, transcriptPath);
  const stoppedAt = stopAt(scenario);
  const call = async (event: object, at: Date): Promise<string> => {
    const { stdout } = await execa(process.execPath, [HOOK, "--agent", agent], {
      input: JSON.stringify(event),
      cwd: folder,
      env: {
        PATH: process.env["PATH"],
        CHECKPOINT_HOME: home,
        CHECKPOINT_NOW: at.toISOString(),
        [events.projectVariable]: project,
      },
      extendEnv: false,
    });
    return stdout;
  };
  return {
    project,
    transcriptPath,
    facts,
    stoppedAt,
    prompt: () => call(events.prompt, PROMPT_AT),
    stop: (at = stoppedAt, changes = {}) => call({ ...events.stop, ...changes }, at),
    goOn: (steps) => {
      // Ids of calls and messages are new ones, and the prompt is not repeated.
      const again = { ...facts, sessionId: randomUUID(), promptAt: new Date(stoppedAt.getTime() + 1000) };
      const lines = kit.write(steps, again).split("\n").slice(kit.opening).join("\n");
      const renamed = lines.replaceAll(/\b(toolu|call)_/g, "$1_more_");
      appendFileSync(transcriptPath, agent === "gemini" ? renamed : renamed.replaceAll(again.sessionId, sessionId));
    },
  };
}
