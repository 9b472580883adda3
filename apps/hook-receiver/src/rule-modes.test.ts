import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settleOutcomes } from "@agent-checkpoint/composer";
import { loadScenario, type Step } from "@agent-checkpoint/fixtures";
import type { Outcome } from "@agent-checkpoint/store";
import { execa } from "execa";
import { describe, expect, test, vi } from "vitest";
import { reasonOf } from "./testing/hook-process.ts";
import { logLines } from "./testing/log-lines.ts";
import { type PlayedSession, stopFirst, write } from "./testing/play-turns.ts";
import { passes, stageScenario } from "./testing/stage-scenario.ts";

const missing = loadScenario("generic-tests-missing");

test.for([
  { agent: "claude", isBlocked: true },
  { agent: "gemini", isBlocked: false },
] as const)("a mode for one agent holds for that agent: $agent", async ({ agent, isBlocked }) => {
  const { project, prompt, stop } = await stageScenario(missing, agent);
  const config = { modes: { tests: { gemini: "shadow" } } };
  writeFileSync(join(project, "checkpoint.config.json"), JSON.stringify(config));
  await prompt();
  expect((await stop()).stdout.includes("Run targeted tests")).toBe(isBlocked);
});

describe("what a rule found in silence", () => {
  const git = (project: string, ...args: readonly string[]) =>
    execa("git", ["-c", "user.name=dev", "-c", "user.email=dev@example.com", ...args], { cwd: project });
  /** The scenario is of a day in the past, and what it begins with is older. */
  const backdate = (project: string) =>
    execa("git", ["-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "--amend", "--no-edit"], {
      cwd: project,
      env: { GIT_COMMITTER_DATE: "2026-01-01T12:00:00Z" },
    });
  const pass: Step = { shell: "npm test", output: "ok\n" };
  const cases: {
    title: string;
    next: (session: PlayedSession) => Promise<unknown>;
    now?: string;
    outcomes: readonly string[];
  }[] = [
    { title: "came by itself in the next turn", next: ({ turn }) => turn([pass], () => undefined), outcomes: ["done"] },
    {
      title: "was committed without it",
      next: ({ project }) => git(project, "commit", "--quiet", "--all", "--message", "Back off"),
      outcomes: ["escaped"],
    },
    { title: "went back", next: ({ project }) => git(project, "checkout", "--quiet", "."), outcomes: ["moot"] },
    { title: "is still open", next: async () => undefined, outcomes: [] },
    {
      title: "is still open after six days",
      next: async () => undefined,
      now: "2026-03-08T09:00:00Z",
      outcomes: [],
    },
    {
      title: "was left without it, and the session is over",
      next: async () => undefined,
      now: "2026-03-10T12:00:00Z",
      outcomes: ["escaped"],
    },
    {
      title: "is where git can no longer be asked",
      next: async ({ project }) => rmSync(join(project, ".git"), { recursive: true }),
      now: "2026-03-10T12:00:00Z",
      outcomes: ["unknown"],
    },
  ];
  const modes = ["shadow", "advise"] as const;
  test.concurrent.for(modes.flatMap((mode) => cases.map((row) => ({ ...row, mode }))))(
    "$mode, $title: $outcomes",
    async ({ mode, next, now = "2026-03-03T12:00:00Z", outcomes }, { expect: expectHere }) => {
      const session = await stopFirst(missing, { config: { modes: { tests: mode } } });
      expectHere(session.first).toEqual(passes("claude"));
      await backdate(session.project);
      await next(session);
      const { home, withStore } = session;
      const rows = await withStore(async (store) => {
        await settleOutcomes(store, { home, now: new Date(now) });
        return store.outcomes.list({ stopId: 1 });
      });
      expectHere(rows.map((row) => [row.rule, row.mode, row.outcome])).toEqual(
        outcomes.map((outcome) => ["tests", "shadow", outcome]),
      );
    },
  );
});

describe('with "noise": "auto"', () => {
  /** Records answers that the tests got in earlier sessions, newer ones with every call. */
  let stopId = 1000;
  const answered = ({ project, withStore }: PlayedSession, times: number, fields: Partial<Outcome>) =>
    withStore((store) =>
      store.outcomes.record(
        Array.from({ length: times }, (): Outcome => {
          stopId += 1;
          return {
            stopId,
            rule: "tests",
            kind: "action",
            mode: "require",
            agent: "claude",
            repository: project,
            at: new Date(Date.UTC(2026, 2, 2, 8) + stopId),
            outcome: "ignored",
            why: null,
            note: null,
            seconds: null,
            tokens: null,
            judgedAt: new Date(),
            ...fields,
          };
        }),
      ),
    );
  const modesIn = ({ project, withStore }: PlayedSession) =>
    withStore(async (store) => (await store.modes.list(project)).map(({ rule, mode }) => [rule, mode]));
  const moves = ({ home }: PlayedSession) => logLines(home).filter((line) => line.includes(" rule-moved "));
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 100 });

  test("a rule that is mostly ignored falls silent, and comes back when it is heard again", async () => {
    const session = await stopFirst(missing, { config: { noise: "auto" } });
    expect(reasonOf(session.first)).toContain("Run targeted tests");
    await session.goOn([]);
    // With the one above, eight.
    await answered(session, 7, {});
    const second = await session.turn([{ edit: "src/server.ts" }], async (project) => {
      await until(async () => expect(await modesIn(session)).toEqual([["tests", "advise"]]));
      write("src/server.ts", "changed again")(project);
    });
    expect(second).toEqual(passes("claude"));
    expect(moves(session)).toEqual([
      expect.stringMatching(/ info rule-moved .*rule=tests .*from=require to=advise .*ignored=8/),
    ]);
    await answered(session, 60, { mode: "shadow", outcome: "done", at: new Date("2026-03-02T12:00:00Z") });
    const third = await session.turn([{ edit: "src/server.ts" }], async (project) => {
      await until(async () => expect(await modesIn(session)).toEqual([["tests", "require"]]));
      write("src/server.ts", "and again")(project);
    });
    expect(reasonOf(third)).toContain("Run targeted tests");
    expect(moves(session)).toHaveLength(2);
  });
});
