import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  makeRepository,
  PROMPT_AT,
  type Scenario,
  type SessionFacts,
  stopAt,
  writeCodexRollout,
} from "@agent-checkpoint/fixtures";
import { openStore, type Route, type Stop } from "@agent-checkpoint/store";
import { afterAll } from "vitest";
import type { Settings } from "../settings.ts";

const scratch = mkdtempSync(join(realpathSync(tmpdir()), "checkpoint-codex-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 9 }));

/** The program that stands in for `codex queue`. */
const STAND_IN = fileURLToPath(new URL("../../../../fixtures/stand-in-codex/codex.mjs", import.meta.url));

export interface ThreadOptions {
  /** How many calls of the stand-in fail first. */
  readonly refusals?: number;
  readonly forced?: Route | null;
  /** When the prompt was sent; the scenarios' own time by default. */
  readonly promptAt?: Date;
}

/** What the stand-in was given. */
export interface QueuedMessage {
  readonly thread: string;
  readonly message: string;
  readonly isRefused: boolean;
}

/** A scenario as a Codex thread with one finished turn. */
export interface StagedThread {
  readonly folder: string;
  readonly settings: Settings;
  readonly facts: SessionFacts;
  readonly rolloutPath: string;
  /** The lines of the turn, the last of which ends it. */
  readonly lines: readonly string[];
  readonly sent: () => readonly QueuedMessage[];
  /** The recorded stops, oldest first. */
  readonly stops: () => Promise<readonly Stop[]>;
}

/** Sets a scenario up as a Codex thread, with a stand-in for `codex`. */
export async function stageThread(scenario: Scenario, options: ThreadOptions = {}): Promise<StagedThread> {
  const { refusals = 0, forced = "queue", promptAt = PROMPT_AT } = options;
  const folder = mkdtempSync(join(scratch, "test-"));
  const project = join(folder, "project");
  await makeRepository(project, scenario);
  const sessionId = randomUUID();
  const { prompt } = scenario;
  const facts: SessionFacts = {
    sessionId,
    promptId: randomUUID(),
    prompt,
    projectPath: project,
    promptAt,
    lastMessage: "Done, it works.",
  };
  const day = join(folder, "codex", "sessions", "2026", "03", "02");
  const rolloutPath = join(day, `rollout-2026-03-02T09-00-00-${sessionId}.jsonl`);
  const lines = finishedLines(scenario, facts);
  mkdirSync(dirname(rolloutPath), { recursive: true });
  writeFileSync(rolloutPath, lines.map((line) => `${line}\n`).join(""));
  const messages = join(folder, "messages.jsonl");
  const settings: Settings = {
    home: join(folder, "home"),
    codexHome: join(folder, "codex"),
    env: {
      PATH: process.env["PATH"] ?? "",
      STAND_IN_ROLLOUT: rolloutPath,
      STAND_IN_MESSAGES: messages,
      STAND_IN_REFUSALS: String(refusals),
    },
    forced,
    codex: STAND_IN,
    tmux: ["tmux", "-L", "there-is-no-such-server"],
    workingSlug: scenario.slug ?? null,
  };
  return {
    folder,
    settings,
    facts,
    rolloutPath,
    lines,
    sent: () => queuedIn(messages),
    stops: () => stopsIn(settings.home),
  };
}

/** The lines of a turn that finished at the scenario's stop. */
function finishedLines(scenario: Scenario, facts: SessionFacts): readonly string[] {
  const lines = writeCodexRollout(scenario.turn ?? [], facts, { isFinished: true })
    .trimEnd()
    .split("\n");
  const end = JSON.parse(lines.at(-1) ?? "") as object;
  const minutes = stopAt(scenario).getTime() - PROMPT_AT.getTime();
  const timestamp = new Date(facts.promptAt.getTime() + minutes).toISOString();
  return [...lines.slice(0, -1), JSON.stringify({ ...end, timestamp })];
}

function queuedIn(messages: string): readonly QueuedMessage[] {
  if (!existsSync(messages)) return [];
  return readFileSync(messages, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as QueuedMessage);
}

async function stopsIn(home: string): Promise<readonly Stop[]> {
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  const stops = await opened.store.stops.list();
  await opened.store.close();
  return stops.toReversed();
}
