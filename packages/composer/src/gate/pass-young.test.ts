import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Prompt } from "@agent-checkpoint/store";
import { journalPrompt } from "@agent-checkpoint/store/files";
import { expect, onTestFinished, test } from "vitest";
import type { StopEvent } from "./events.ts";
import { passYoung } from "./pass-young.ts";
import type { Place } from "./place.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

interface Stage {
  readonly home: string;
  readonly project: string;
}

function stage(): Stage {
  const folder = mkdtempSync(join(tmpdir(), "checkpoint-young-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "project", ".git"), { recursive: true });
  return { home: join(folder, "home"), project: join(folder, "project") };
}

const say = ({ home, project }: Stage, changes: Partial<Prompt> = {}): void =>
  journalPrompt(home, {
    agent: "claude",
    sessionId: "session",
    projectPath: project,
    transcriptPath: null,
    turn: "turn",
    at: at(0),
    ...changes,
  });

interface Stop {
  readonly event?: Partial<StopEvent> | undefined;
  readonly place?: Partial<Place> | undefined;
  readonly isAutonomous?: boolean | undefined;
}

const stop = (
  { home, project }: Stage,
  { event = {}, place = {}, isAutonomous = false }: Stop = {},
): Promise<boolean> =>
  passYoung(
    {
      type: "stop",
      sessionId: "session",
      projectPath: project,
      transcriptPath: "/transcripts/1.jsonl",
      promptId: "turn",
      isRepeated: false,
      exemption: null,
      promptText: null,
      lastMessage: null,
      ...event,
    },
    { agent: "claude", home, now: at(5), workingSlug: null, route: "hook", ...place },
    () => isAutonomous,
  );

async function recorded({ home }: Stage) {
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  const stops = await opened.store.listStops();
  await opened.store.close();
  return stops;
}

test("a stop right after its prompt passes, and is recorded with what it was judged on, without the database", async () => {
  const staged = stage();
  say(staged);
  expect(await stop(staged)).toBe(true);
  expect(existsSync(join(staged.home, "checkpoint.db"))).toBe(false);
  expect(await recorded(staged)).toEqual([
    expect.objectContaining({
      decision: "pass",
      reason: "timer",
      turn: "turn",
      at: at(5),
      trail: expect.objectContaining({ transcriptPath: "/transcripts/1.jsonl", promptAt: at(0) }),
    }),
  ]);
});

test("the last of a session's prompts counts, whoever else has spoken since", async () => {
  const staged = stage();
  say(staged, { turn: "before", at: at(-60) });
  say(staged);
  say(staged, { sessionId: "other", turn: "other", at: at(3) });
  say(staged, { agent: "codex", turn: "of another agent", at: at(4) });
  expect(await stop(staged)).toBe(true);
});

test("an agent that names no turns stops the one that began last", async () => {
  const staged = stage();
  say(staged);
  expect(await stop(staged, { event: { promptId: null } })).toBe(true);
});

const openStops: readonly (Stop & {
  readonly is: string;
  readonly said?: (staged: Stage) => Promise<void>;
})[] = [
  { is: "as old as the timer", place: { now: at(30) } },
  { is: "of a session that nobody spoke in", said: async () => {} },
  { is: "of another session", event: { sessionId: "other" } },
  { is: "of another agent's session", place: { agent: "codex" } },
  { is: "of another turn", event: { promptId: "notification" } },
  { is: "of no session", event: { sessionId: null } },
  { is: "exempt for another reason", event: { exemption: "plan-mode" } },
  { is: "made up to see that the hook works", place: { isCanary: true } },
  { is: "of an agent that nobody watches", isAutonomous: true },
  {
    is: "in a repository whose config cannot be used",
    said: async (staged) => {
      writeFileSync(join(staged.project, "checkpoint.config.json"), "{");
      say(staged);
    },
  },
  {
    is: "after one that the store knows of",
    said: async (staged) => {
      say(staged);
      await recorded(staged);
    },
  },
  {
    is: "in a home whose journal is worth folding",
    said: async (staged) => {
      for (let number = 0; number < 1000; number += 1) say(staged);
    },
  },
];
test.for(openStops)("a stop that is $is is left to the store", async ({ said, event, place, isAutonomous }) => {
  const staged = stage();
  if (said === undefined) say(staged);
  else await said(staged);
  expect(await stop(staged, { event, place, isAutonomous })).toBe(false);
});

test("the timer is the repository's own", async () => {
  const staged = stage();
  writeFileSync(join(staged.project, "checkpoint.config.json"), '{ "timerSeconds": 50 }');
  say(staged);
  expect(await stop(staged, { place: { now: at(49) } })).toBe(true);
  expect(await stop(staged, { place: { now: at(51) } })).toBe(false);
});
