import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadScenario, type Step } from "@agent-checkpoint/fixtures";
import { openStore } from "@agent-checkpoint/store";
import { execaSync } from "execa";
import { describe, expect, test } from "vitest";
import type { HookAnswer } from "./testing/hook-process.ts";
import { type StagedScenario, stageScenario } from "./testing/stage-scenario.ts";

const generic = loadScenario("generic-tests-missing");
const CONFIG = "checkpoint.config.json";

/** The scenario whose agent also took these steps; what they did is up to the test. */
const stage = (...steps: readonly Step[]) =>
  stageScenario({ ...generic, turn: [...(generic.turn ?? []), ...steps] }, "claude");

const answerOf = ({ stdout }: HookAnswer) => (stdout === "" ? {} : JSON.parse(stdout)) as Record<string, string>;

async function lastStop({ home }: StagedScenario) {
  const opened = await openStore(home);
  if (!opened.ok) throw new Error(opened.detail);
  const [stop] = await opened.store.stops.list({ limit: 1 });
  await opened.store.close();
  return stop;
}

describe("the config that counts in a turn is the one of its prompt", () => {
  const relaxed = [
    { how: "no preset", text: `{ "preset": "none" }` },
    { how: "no tests", text: `{ "actions": [{ "id": "tests", "off": true }] }` },
    {
      how: "any command as evidence",
      text: `{ "actions": [{ "id": "tests", "steps": [{ "run": "ls", "evidence": ["ls", "cat"] }] }] }`,
    },
    { how: "nonsense", text: "{ nonsense" },
  ];
  test.concurrent.for(relaxed)(
    "$how is written in the turn: asked all the same, and a person is told",
    async ({ text }, { expect: expectHere }) => {
      const staged = await stage({ shell: `echo x > ${CONFIG}` });
      await staged.prompt();
      writeFileSync(join(staged.project, CONFIG), text);
      const { reason, systemMessage } = answerOf(await staged.stop());
      expectHere(reason).toContain("Run targeted tests");
      expectHere(systemMessage).toBe(
        "agent-checkpoint: `checkpoint.config.json` was changed this turn; a change of the rules counts from the next prompt on.",
      );
    },
  );

  test.concurrent("a config that is removed still counts", async ({ expect: expectHere }) => {
    const staged = await stage({ shell: `rm ${CONFIG}` });
    writeFileSync(join(staged.project, CONFIG), `{ "actions": [{ "id": "tests", "steps": ["make verify"] }] }`);
    await staged.prompt();
    rmSync(join(staged.project, CONFIG));
    expectHere(answerOf(await staged.stop())["reason"]).toContain("make verify");
  });

  const script = "The rules of the checkpoint changed this turn; the new ones count from the next prompt on.";
  const unnamed = [
    { how: "a script of the agent", steps: [{ shell: "./tidy.sh" }], notice: `agent-checkpoint: ${script}` },
    { how: "a person, while no command ran", steps: [], notice: undefined },
  ];
  test.concurrent.for(unnamed)("$how changes the config", async ({ steps, notice }, { expect: expectHere }) => {
    const staged = await stage(...steps);
    await staged.prompt();
    writeFileSync(join(staged.project, CONFIG), `{ "preset": "none" }`);
    const { reason, systemMessage } = answerOf(await staged.stop());
    expectHere(reason).toContain("Run targeted tests");
    expectHere(systemMessage).toBe(notice);
    const { observations = [] } = (await lastStop(staged)) ?? {};
    const own = observations.filter(({ check }) => check === "config-changed").map(({ text }) => text);
    expectHere(own).toEqual(notice === undefined ? [] : [script]);
    expectHere(answerOf(await staged.stop({}, 60))["systemMessage"]).toBeUndefined();
  });

  test.concurrent("from the next prompt on the new one counts", async ({ expect: expectHere }) => {
    const staged = await stage();
    writeFileSync(join(staged.project, CONFIG), `{ "preset": "none" }`);
    await staged.prompt();
    expectHere(answerOf(await staged.stop())).toEqual({});
  });

  test.concurrent("without a prompt that was seen the one on disk counts", async ({ expect: expectHere }) => {
    const staged = await stage();
    writeFileSync(join(staged.project, CONFIG), `{ "preset": "none" }`);
    expectHere(answerOf(await staged.stop())).toEqual({});
  });
});

describe("what hides work passes, and a person is told", () => {
  const ways = [
    { command: "git stash -u", says: "Work was put away with `git stash`" },
    {
      command: "git update-index --assume-unchanged src/server.ts",
      says: "`git update-index` was told this turn not to show",
    },
    { command: "echo '*' >> .git/info/exclude", says: "`.git/info/exclude` was changed this turn" },
    { command: "rm -rf .git", says: "`.git` was removed this turn." },
  ];
  test.for(ways)("$command", async ({ command, says }) => {
    const staged = await stage({ shell: command });
    await staged.prompt();
    execaSync("sh", ["-c", command], {
      cwd: staged.project,
      env: { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" },
    });
    const first = answerOf(await staged.stop());
    expect(first["systemMessage"]).toContain(says);
    expect((await lastStop(staged))?.observations).toContainEqual({
      check: "config-changed",
      text: expect.stringContaining(says) as string,
      isFailure: false,
    });
    // Once: the next stop of the turn has nothing new to tell.
    expect(answerOf(await staged.stop({}, 60))["systemMessage"]).toBeUndefined();
  });
});
