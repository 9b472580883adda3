import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { VOICES } from "./agent-voices.ts";
import { begin, decisionsOf, openTestStage, PATIENCE, TITLED, UNASKED } from "./codex-session.ts";
import { CHECKPOINT_CODEX } from "./codex-stage.ts";
import { DAEMON_MESSAGE, daemonChange, daemonRestart, PROMPT } from "./daemon-change.ts";
import { TMUX_SOCKET } from "./open-screen.ts";

const voice = VOICES.codex;
/** A second message would be there by then. */
const A_WHILE_MS = 4000;

/** Codex's own notification brings the message by tmux, while a watch beside it brings it by queue. */
const NOTIFY_BY_TMUX = [...CHECKPOINT_CODEX, "notify", "--route", "tmux", "--tmux-socket", TMUX_SOCKET];
const TRUSTING = ["--dangerously-bypass-hook-trust"];

test.for([
  { routes: "hook, queue and tmux", isSetUp: true, args: TRUSTING },
  { routes: "queue and tmux", isSetUp: false, args: [] },
])("with $routes on, the message is delivered exactly once", async ({ isSetUp, args }) => {
  const stage = await openTestStage({
    isSetUp,
    notify: NOTIFY_BY_TMUX,
    moreConfig: TITLED,
    script: { replies: [...daemonChange(voice), ...daemonRestart(voice)] },
  });
  await stage.startWatch("--route", "queue");
  const screen = await stage.startCodex(...UNASKED, ...args);
  await begin(screen, PROMPT);
  await screen.waitFor("The daemon runs with the new delay.");
  await expect.poll(() => stage.threads()[0]?.ended, PATIENCE).toBe(isSetUp ? 1 : 2);
  await sleep(A_WHILE_MS);

  const stops = await stage.stops();
  expect(stops.filter(({ decision }) => decision === "block")).toHaveLength(1);
  const threads = stage.threads();
  expect(threads.flatMap(({ userMessages, hookPrompts }) => [...userMessages, ...hookPrompts])).toEqual([
    PROMPT,
    DAEMON_MESSAGE,
  ]);
  expect(threads).toMatchObject([{ hookPrompts: isSetUp ? [DAEMON_MESSAGE] : [] }]);
  expect(await screen.picture()).toContain("› Ask Codex to do anything\n");
  expect(await stage.heard()).toHaveLength(5);
});

test("what the hook has said is not said again, though the user's next message follows at once", async () => {
  const stage = await openTestStage({
    isSetUp: true,
    script: {
      replies: [
        ...daemonChange(voice),
        { calls: [voice.shell("sleep 3; make restart && make status")] },
        { say: "The daemon runs with the new delay." },
        { say: "You are welcome." },
        { say: "The rest is for you." },
      ],
    },
  });
  await stage.startWatch();
  const screen = await stage.startCodex(...UNASKED, ...TRUSTING);
  await begin(screen, PROMPT);
  await expect.poll(() => stage.threads()[0]?.hookPrompts.length, PATIENCE).toBe(1);
  await stage.run(["sh", "-c", `"$CODEX" queue --thread ${stage.threads()[0]?.id} --message Thanks`]);
  await screen.waitFor("You are welcome.");
  await sleep(A_WHILE_MS);

  expect(stage.threads()).toMatchObject([{ userMessages: [PROMPT, "Thanks"] }]);
  const stops = await stage.stops();
  expect(decisionsOf(stops.filter(({ turn }) => turn === stops[0]?.turn))).toEqual([
    "block by hook: missing-actions",
    "pass by hook: asked-before",
  ]);
});
