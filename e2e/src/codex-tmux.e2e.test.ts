import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { VOICES } from "./agent-voices.ts";
import { begin, decisionsOf, openTestStage, PATIENCE, TITLED, UNASKED } from "./codex-session.ts";
import { DAEMON } from "./daemon-change.ts";
import { WIDE, wideChange } from "./wide-change.ts";

const voice = VOICES.codex;

test("20 of 20 messages of 4 KB arrive whole, once each", async () => {
  const turns = Array.from({ length: 20 }, (_, index) => index + 1);
  const stage = await openTestStage({
    files: WIDE,
    moreConfig: TITLED,
    script: { replies: turns.flatMap((turn) => [...wideChange(voice, `Done ${turn}.`), { say: `Heard ${turn}.` }]) },
  });
  await stage.startWatch("--route", "tmux");
  const screen = await stage.startCodex(...UNASKED);
  await begin(screen, "Change it, time 1");
  for (const turn of turns) {
    if (turn > 1) await screen.enter(`Change it, time ${turn}`);
    await expect.poll(() => stage.threads()[0]?.ended, PATIENCE).toBe(2 * turn);
  }
  await sleep(2000);

  const [{ userMessages } = { userMessages: [] }] = stage.threads();
  const message = userMessages[1] ?? "";
  expect(message).toMatch(/^agent-checkpoint: 4 actions/);
  expect(Buffer.byteLength(message)).toBeGreaterThan(4000);
  expect(userMessages).toEqual(turns.flatMap((turn) => [`Change it, time ${turn}`, message]));
  expect(decisionsOf(await stage.stops())).toEqual(
    turns.flatMap(() => ["block by tmux: missing-actions", "pass by tmux: already-blocked"]),
  );
});

test("two sessions in two panes, in one folder, never mix", async () => {
  const stage = await openTestStage({
    files: { ...DAEMON, "teleclaude/core/a.py": "A = 1\n", "teleclaude/core/b.py": "B = 1\n" },
    moreConfig: TITLED,
    script: {
      replies: [
        { calls: [voice.edit("teleclaude/core/a.py", "A = 1", "A = 2")] },
        { say: "Done with A." },
        { calls: [voice.edit("teleclaude/core/b.py", "B = 1", "B = 2")] },
        { say: "Done with B." },
        { say: "B heard." },
        { say: "A heard." },
      ],
    },
  });
  const [first, second] = [await stage.startCodex(...UNASKED), await stage.startCodex(...UNASKED)];
  await begin(first, "Change A");
  await first.waitFor("Done with A.");
  await begin(second, "Change B");
  await second.waitFor("Done with B.");
  await first.type("my draft");
  const watch = stage.checkpointCodex("watch", "--once", "--route", "tmux");
  await second.waitFor("B heard.");
  expect(await first.picture()).toContain("› my draft\n");
  await first.press("C-u");
  await first.waitFor("A heard.");
  // The screen shows a reply before the rollout has the turn's end.
  await expect.poll(() => stage.threads().map(({ ended }) => ended), PATIENCE).toEqual([2, 2]);

  expect(await watch).toMatchObject({ exitCode: 0 });
  expect(stage.threads()).toMatchObject([
    { userMessages: ["Change A", expect.stringContaining("- `teleclaude/core/a.py` was edited without")] },
    { userMessages: ["Change B", expect.stringContaining("- `teleclaude/core/b.py` was edited without")] },
  ]);
  expect(decisionsOf(await stage.stops())).toEqual(Array(2).fill("block by tmux: missing-actions"));
});
