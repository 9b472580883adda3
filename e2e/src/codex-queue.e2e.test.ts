import { expect, test } from "vitest";
import { VOICES } from "./agent-voices.ts";
import { begin, decisionsOf, openTestStage, PATIENCE, UNASKED } from "./codex-session.ts";
import { DAEMON_MESSAGE, daemonChange, daemonRestart, PROMPT } from "./daemon-change.ts";

const voice = VOICES.codex;
const DRAFT = "and then I would like";

test.for([
  { mode: "through its daemon", args: [] },
  { mode: "without a daemon", args: ["--no-daemon"] },
])("$mode, the message arrives as a user turn, the draft survives and the next stop passes", async ({ args }) => {
  const stage = await openTestStage({ script: { replies: [...daemonChange(voice), ...daemonRestart(voice)] } });
  await stage.startWatch("--route", "queue");
  const screen = await stage.startCodex(...UNASKED, ...args);
  await begin(screen, PROMPT);
  await screen.type(DRAFT);
  await screen.waitFor("The daemon runs with the new delay.");
  await expect
    .poll(async () => decisionsOf(await stage.stops()), PATIENCE)
    .toEqual(["block by queue: missing-actions", "pass by queue: already-blocked"]);

  expect(stage.threads()).toMatchObject([
    { userMessages: [PROMPT, DAEMON_MESSAGE], triggers: ["user", "queue"], hookPrompts: [], ended: 2 },
  ]);
  expect(await screen.picture()).toContain(`› ${DRAFT}\n`);
  expect(await stage.heard()).toHaveLength(5);
});

test("nothing is queued for a session whose screen was closed", async () => {
  const stage = await openTestStage({ script: { replies: daemonChange(voice) } });
  const screen = await stage.startCodex(...UNASKED);
  await begin(screen, PROMPT);
  await screen.waitFor("Done, it works.");
  await expect.poll(() => stage.threads().map(({ ended }) => ended), PATIENCE).toEqual([1]);
  await screen.press("C-d");
  await expect.poll(() => screen.tmux("display-message", "-p", "#{pane_dead}"), PATIENCE).toBe("1\n");
  const watch = await stage.checkpointCodex("watch", "--once", "--route", "queue");

  expect(watch).toMatchObject({ exitCode: 0 });
  expect(decisionsOf(await stage.stops())).toEqual(["pass by queue: no-open-screen"]);
  expect(stage.threads()).toMatchObject([{ userMessages: [PROMPT], ended: 1 }]);
});
