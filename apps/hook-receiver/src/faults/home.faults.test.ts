import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execaSync } from "execa";
import { describe, expect, test, vi } from "vitest";
import { AS_UNKNOWN_USER, canRunUnder, ENDED_AFTER_15_S } from "../testing/confinement.ts";
import { callHook, reasonOf } from "../testing/hook-process.ts";
import { logLines } from "../testing/log-lines.ts";
import { oldNode } from "../testing/old-node.ts";
import { scratchFolder } from "../testing/scratch.ts";
import { ROW_NOW, SILENCE, stageFault, storedStops } from "../testing/stage-fault.ts";

// Faults that are waited for, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const ownName = `agent-checkpoint-${process.getuid?.() ?? ""}`;

interface HomeCase {
  readonly title: string;
  /** The variables that could name a home; `T` stands for the test's own folder. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the database is then, from the test's own folder. */
  readonly database: string;
  readonly under?: readonly string[];
}

const cases: readonly HomeCase[] = [
  { title: "HOME alone", env: { HOME: "T/user" }, database: "user/.local/state/agent-checkpoint" },
  { title: "XDG_STATE_HOME without HOME", env: { XDG_STATE_HOME: "T/state" }, database: "state/agent-checkpoint" },
  { title: "an empty HOME", env: { HOME: "" }, database: `tmp/${ownName}` },
  { title: "a relative HOME", env: { HOME: "user" }, database: `tmp/${ownName}` },
  {
    title: "relative paths everywhere",
    env: { CHECKPOINT_HOME: "here", XDG_STATE_HOME: "./there", HOME: "." },
    database: `tmp/${ownName}`,
  },
  {
    title: "no HOME, and a user whom the system does not know",
    env: {},
    database: "tmp/agent-checkpoint-54321",
    under: AS_UNKNOWN_USER,
  },
];

describe("the home, as the variables leave it: the stop is judged, and nothing is written where the agent works", () => {
  test.concurrent.for(cases)("$title", async ({ env, database, under = [] }, { expect: expectHere, skip }) => {
    skip(under.length > 0 && !canRunUnder(under), "no namespace of users here");
    const staged = await stageFault();
    const folder = scratchFolder();
    for (const name of ["tmp", "cwd"]) mkdirSync(join(folder, name));
    const before = execaSync("git", ["status", "--porcelain", "--ignored"], { cwd: staged.project }).stdout;
    const named = Object.entries(env).map(([name, value]) => [name, value.replace(/^T(?=\/)/, folder)]);
    const answer = await callHook({
      agent: "claude",
      event: staged.event(),
      env: { CLAUDE_PROJECT_DIR: staged.project, TMPDIR: join(folder, "tmp"), ...Object.fromEntries(named) },
      cwd: join(folder, "cwd"),
      under,
    });
    expectHere(reasonOf(answer)).toContain("make restart");
    expectHere(storedStops(join(folder, database, "checkpoint.db"))).toEqual([ROW_NOW]);
    expectHere(readdirSync(join(folder, "cwd"))).toEqual([]);
    const after = execaSync("git", ["status", "--porcelain", "--ignored"], { cwd: staged.project }).stdout;
    expectHere(after).toBe(before);
  });
});

const older = oldNode();
test.runIf(older !== null)("an old Node, which is told so in the same home", async () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, "cwd"));
  const answer = await callHook({
    agent: "claude",
    event: {},
    env: { CHECKPOINT_HOME: "here", XDG_STATE_HOME: "./there", HOME: join(folder, "user") },
    cwd: join(folder, "cwd"),
    node: older ?? "",
  });
  expect(answer).toEqual(SILENCE);
  expect(readdirSync(join(folder, "cwd"))).toEqual([]);
  expect(logLines(join(folder, "user/.local/state/agent-checkpoint"))).toEqual([expect.stringMatching(/node-too-old/)]);
});

describe("a home that is none: the stop passes", () => {
  const homes = [
    { title: "a file", make: (home: string) => writeFileSync(home, "") },
    { title: "below a file", make: (home: string) => writeFileSync(home, ""), below: "deeper" },
    { title: "a link to nowhere", make: (home: string) => symlinkSync("/nowhere/at/all", home) },
    { title: "a link to itself", make: (home: string) => symlinkSync(home, home) },
    { title: "a pipe", make: (home: string) => void execaSync("mkfifo", [home]) },
    { title: "a device", make: () => {}, at: "/dev/null" },
    { title: "where nothing can be made", make: () => {}, at: "/proc/agent-checkpoint" },
  ];
  test.concurrent.for(homes)("$title", async ({ make, below = "", at }, { expect: expectHere }) => {
    const staged = await stageFault();
    const home = join(scratchFolder(), "home");
    make(home);
    const env = { CHECKPOINT_HOME: at ?? join(home, below) };
    expectHere(await staged.stop({ env, under: ENDED_AFTER_15_S })).toEqual(SILENCE);
  });

  test.concurrent("a name too long", async ({ expect: expectHere }) => {
    const staged = await stageFault();
    expectHere(await staged.stop({ env: { CHECKPOINT_HOME: `/${"x".repeat(5000)}` } })).toEqual(SILENCE);
  });
});
