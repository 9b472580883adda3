import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent, CanaryTurn } from "@agent-checkpoint/agents";
import { runGit } from "@agent-checkpoint/git";

/** A scratch repository with one changed file, in which made-up turns can stop. */
export interface CanaryStage {
  readonly project: string;
  /** Writes the transcript of a new turn. */
  readonly newTurn: (agent: Pick<Agent, "canary">, now: Date) => CanaryTurn;
  readonly remove: () => void;
}

/** The step that the scratch repository asks for, so that a judged stop must speak of it. */
export const CANARY_STEP = "agent-checkpoint-canary";

const FILE = "canary.ts";
const MINUTES = 5;

/** Overrides the personal config, so that it cannot silence a canary. */
const CONFIG = {
  preset: "generic",
  categories: [{ id: CANARY_STEP, label: "canary", include: [FILE], action: CANARY_STEP }],
  actions: [{ id: CANARY_STEP, steps: [CANARY_STEP] }],
  timerSeconds: 30,
  scope: "session",
} as const;

/** Keeps the user's signing key out of it. */
const SETTINGS = [
  "commit.gpgsign=false",
  "core.autocrlf=false",
  "user.name=agent-checkpoint",
  "user.email=canary@localhost",
];

export interface StageOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A project's `node_modules`, for commands that find our program there; null if none is wanted. */
  readonly nodeModules: string | null;
}

export async function stageCanary({ env, nodeModules }: StageOptions): Promise<CanaryStage> {
  const folder = mkdtempSync(join(realpathSync(env["TMPDIR"] || tmpdir()), "agent-checkpoint-canary-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const project = join(folder, "project");
    mkdirSync(project);
    writeFileSync(join(project, "checkpoint.config.json"), JSON.stringify(CONFIG));
    writeFileSync(join(project, FILE), "before\n");
    await commitAll(project, env);
    writeFileSync(join(project, FILE), "after\n");
    if (nodeModules !== null) symlinkSync(nodeModules, join(project, "node_modules"));
    return { project, newTurn: (agent, now) => newTurn(folder, agent, now), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function commitAll(cwd: string, { PATH = "" }: StageOptions["env"]): Promise<void> {
  const commands = [
    ["init", "--quiet", "--template="],
    ["add", "--force", "--all"],
    ["commit", "--quiet", "--message", "before"],
  ];
  for (const command of commands) {
    const result = await runGit(command, { cwd, env: { PATH }, settings: SETTINGS });
    if (!result.ok) throw new Error(result.detail);
  }
}

function newTurn(folder: string, { canary }: Pick<Agent, "canary">, now: Date): CanaryTurn {
  const sessionId = randomUUID();
  const turn: CanaryTurn = {
    sessionId,
    promptId: randomUUID(),
    prompt: "Change the canary",
    lastMessage: "The canary is changed.",
    project: join(folder, "project"),
    file: FILE,
    transcriptPath: join(folder, `${sessionId}.jsonl`),
    promptAt: new Date(now.getTime() - MINUTES * 60_000),
    stopAt: now,
  };
  const lines = canary.transcript(turn);
  writeFileSync(turn.transcriptPath, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return turn;
}
