import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { VOICES } from "./agent-voices.ts";
import { begin, decisionsOf, openTestStage, PATIENCE, UNASKED } from "./codex-session.ts";
import type { CodexStage } from "./codex-stage.ts";
import { DAEMON_MESSAGE, daemonChange, daemonRestart, PROMPT } from "./daemon-change.ts";
import type { Screen } from "./open-screen.ts";
import { INSIDE } from "./sandbox.ts";
import { startDelivery } from "./start-delivery.ts";

const voice = VOICES.codex;
/** Several looks of the injector at the pane. */
const A_WHILE_MS = 2000;

describe("nothing is typed", () => {
  test.for([
    {
      state: "while the user types",
      enter: (screen: Screen) => screen.type("and then"),
      leave: (screen: Screen) => screen.press("C-u"),
    },
    {
      state: "in copy mode",
      enter: async (screen: Screen) => void (await screen.tmux("copy-mode")),
      leave: async (screen: Screen) => void (await screen.tmux("send-keys", "-X", "cancel")),
    },
    {
      state: "in the view of the transcript",
      enter: async (screen: Screen) => {
        await screen.press("Escape");
        await screen.press("Escape");
        await screen.waitFor("Browsing transcript");
      },
      leave: (screen: Screen) => screen.press("Escape"),
    },
  ])("$state; afterwards the message arrives", async ({ enter, leave }) => {
    const stage = await openTestStage({ script: { replies: [...daemonChange(voice), ...daemonRestart(voice)] } });
    const screen = await finishTurn(stage);
    await enter(screen);
    const before = await screen.picture();
    const watch = stage.checkpointCodex("watch", "--once", "--route", "tmux");
    await underWay(stage);
    await sleep(A_WHILE_MS);

    expect(await screen.picture()).toBe(before);
    expect(stage.threads()).toMatchObject([{ userMessages: [PROMPT] }]);
    await leave(screen);
    expect(await watch).toMatchObject({ exitCode: 0 });
    await screen.waitFor("The daemon runs with the new delay.");
    expect(stage.threads()).toMatchObject([{ userMessages: [PROMPT, DAEMON_MESSAGE] }]);
    expect(decisionsOf(await stage.stops())).toEqual(["block by tmux: missing-actions"]);
  });

  test("into the shell that is left when Codex is gone, and the message leaves no stamp", async () => {
    const stage = await openTestStage({ script: { replies: daemonChange(voice) } });
    const screen = await finishTurn(stage);
    await screen.tmux("copy-mode");
    const watch = stage.checkpointCodex("watch", "--once", "--route", "tmux");
    await underWay(stage);
    await endCodex(stage, screen, (pid) => stage.run(["kill", pid]));
    await screen.tmux("send-keys", "-X", "cancel");

    expect(await watch).toMatchObject({ exitCode: 0 });
    expect(await screen.picture()).not.toContain("agent-checkpoint");
    const [{ id, userMessages } = { id: "", userMessages: [] }] = stage.threads();
    expect(userMessages).toEqual([PROMPT]);
    expect(decisionsOf(await stage.stops())).toEqual(["pass by tmux: none"]);
    expect(await stage.session(id)).toMatchObject({ lastCheckpointAt: null, lastBlockedTurn: null, route: "tmux" });
  });

  test("while an approval is open: the message was for the turn before", async () => {
    const [, edit, done] = daemonChange(voice);
    const stage = await openTestStage({ script: { replies: [{ ...edit }, { ...done }, ASK] } });
    const screen = await stage.startCodex(...ASKED, "--no-daemon");
    await begin(screen, PROMPT);
    await screen.waitFor("Would you like to make the following edits?");
    await screen.press("y");
    await expect.poll(() => stage.threads()[0]?.ended, PATIENCE).toBe(1);
    await screen.waitFor("› Ask Codex to do anything");
    await screen.type("Approve me");
    const watch = stage.checkpointCodex("watch", "--once", "--route", "tmux");
    await underWay(stage);
    await screen.press("Enter");
    await screen.waitFor(ASK_WORDS);

    expect(await watch).toMatchObject({ exitCode: 0 });
    await expectStillAsking(stage, screen);
    expect(stage.threads()).toMatchObject([{ userMessages: [PROMPT, "Approve me"] }]);
    expect(decisionsOf(await stage.stops())).toEqual(["pass by tmux: superseded"]);
  });

  test("while an approval is open, though the message were for this turn", async () => {
    const stage = await openTestStage({ script: { replies: [{ say: "Hello." }, ASK] } });
    const screen = await stage.startCodex(...ASKED, "--no-daemon");
    await begin(screen, "Hello");
    await expect.poll(() => stage.threads()[0]?.ended, PATIENCE).toBe(1);
    await screen.enter("Approve me");
    await screen.waitFor(ASK_WORDS);
    const { ended, said } = startDelivery(stage, { message: DAEMON_MESSAGE, milliseconds: A_WHILE_MS });
    await ended;

    expect(await said()).toEqual(["modal", "superseded"]);
    await expectStillAsking(stage, screen);
    expect(stage.threads()).toMatchObject([{ userMessages: ["Hello", "Approve me"] }]);
  });

  test("while Codex starts; the message arrives when the session is there again", async () => {
    const stage = await openTestStage({ script: { replies: [...daemonChange(voice), { say: "Heard." }] } });
    const screen = await finishTurn(stage);
    await endCodex(stage, screen, () => screen.press("C-d"));
    const { ended, said } = startDelivery(stage, { message: DAEMON_MESSAGE, milliseconds: 20_000 });
    await expect.poll(said, PATIENCE).toEqual(["none"]);
    await screen.enter(`"$CODEX" resume ${stage.threads()[0]?.id} ${UNASKED.join(" ")} --no-daemon`);
    await ended;

    const reasons = await said();
    expect(reasons).toContain("no-composer");
    expect(reasons.at(-1)).toBe("delivered");
    await screen.waitFor("Heard.");
    expect(stage.threads()).toMatchObject([{ userMessages: [PROMPT, DAEMON_MESSAGE] }]);
    expect(await screen.tmux("capture-pane", "-p", "-S", "-")).not.toContain("not found");
  });
});

/** What Codex is started with to ask before it leaves a sandbox that is read-only. */
const ASKED = ["--ask-for-approval", "on-request", "--sandbox", "read-only"];
const ASK_WORDS = "May I leave a mark?";
const ASK = {
  calls: [
    {
      tool: "exec_command",
      input: { cmd: "touch mark", sandbox_permissions: "require_escalated", justification: ASK_WORDS },
    },
  ],
};

/** The approval stays open for a while, and is never given. */
async function expectStillAsking(stage: CodexStage, screen: Screen): Promise<void> {
  const before = await screen.picture();
  await sleep(A_WHILE_MS);
  expect(await screen.picture()).toBe(before);
  expect(before).toContain(ASK_WORDS);
  expect(await stage.run(["test", "-e", `${INSIDE.project}/mark`])).toMatchObject({ exitCode: 1 });
}

/** Does what ends the Codex of a screen, and waits until the shell that it was started from takes over. */
async function endCodex(stage: CodexStage, screen: Screen, end: (pid: string) => Promise<unknown>): Promise<void> {
  const shell = (await screen.tmux("display-message", "-p", "#{pane_pid}")).trim();
  const codex = async () => (await stage.run(["ps", "-o", "pid=", "--ppid", shell])).stdout.trim();
  await end(await codex());
  await expect.poll(codex, PATIENCE).toBe("");
}

/** Starts Codex under a shell and has it finish a turn that the checkpoint has something to say about. */
async function finishTurn(stage: CodexStage, ...args: readonly string[]): Promise<Screen> {
  const screen = await stage.startCodexInShell(...UNASKED, "--no-daemon", ...args);
  await begin(screen, PROMPT);
  await expect.poll(() => stage.threads()[0]?.ended, PATIENCE).toBe(1);
  await screen.waitFor("› Ask Codex to do anything");
  await drawn(screen);
  return screen;
}

/** Waits until the screen has stood still for a moment: Codex draws the end of a turn in several steps. */
async function drawn(screen: Screen): Promise<void> {
  const look = async () => {
    const before = await screen.picture();
    await sleep(500);
    return (await screen.picture()) === before;
  };
  await expect.poll(look, PATIENCE).toBe(true);
}

/** Waits until the injector has claimed the turn's one block and is about to deliver. */
async function underWay(stage: CodexStage): Promise<void> {
  await expect.poll(async () => decisionsOf(await stage.stops()), PATIENCE).toEqual(["block by tmux: missing-actions"]);
}
