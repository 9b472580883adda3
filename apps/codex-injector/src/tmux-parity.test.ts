import { readFileSync } from "node:fs";
import { loadScenarios, messagePath } from "@agent-checkpoint/fixtures";
import type { Sent } from "@agent-checkpoint/composer";
import { openStore } from "@agent-checkpoint/store";
import { expect, test } from "vitest";
import { stageThread } from "./testing/stage-thread.ts";
import { deliverByTmux } from "./tmux/deliver-by-tmux.ts";
import { HAS_TMUX } from "./tmux/testing/has-tmux.ts";
import { startStandIn } from "./tmux/testing/start-stand-in.ts";
import { startTmuxServer } from "./tmux/testing/start-tmux-server.ts";
import { judgeTurn } from "./turns/judge-turn.ts";
import { finishedTurnAt } from "./turns/polled-thread.ts";

const scenarios = loadScenarios().filter(({ turn, blocks }) => turn !== null && blocks);

test.runIf(HAS_TMUX)("by tmux, the same message as by hook, in every scenario", { timeout: 180_000 }, async () => {
  const server = startTmuxServer();
  const standIn = await startStandIn(server);
  const received: Record<string, string | undefined> = {};
  for (const scenario of scenarios) {
    const { settings, rolloutPath } = await stageThread(scenario, { forced: "tmux" });
    const turn = finishedTurnAt(rolloutPath);
    const opened = await openStore(settings.home, { now: () => turn?.turn.finishedAt ?? new Date() });
    if (turn === null || !opened.ok) throw new Error("the scenario could not be staged");
    const { id, cwd } = turn.turn.thread;
    await standIn.tell({ title: `Ready | ${id.slice(0, 29)}...`, workMs: 50 });
    const before = standIn.submitted().length;
    const deliver = async (_route: string, _turn: unknown, message: string): Promise<Sent> => {
      const result = await deliverByTmux({
        tmux: server.tmux,
        thread: { id, cwd: cwd ?? "", rolloutPath },
        message,
        isStillWanted: () => true,
        wasReceived: () => standIn.submitted().length > before,
        pollMs: 50,
        settleMs: 100,
      });
      return result.ok ? { ok: true } : { ok: false, reason: result.reason };
    };
    const facts = { forced: "tmux", isHookTrusted: false, hasQueue: false, hasTmux: true } as const;
    const { home, workingSlug } = settings;
    await judgeTurn(turn, { store: opened.store, home, workingSlug, facts, deliver });
    await opened.store.close();
    received[scenario.name] = standIn.submitted().slice(before).join("\n---\n");
  }
  const golden = scenarios.map(({ name }) => [name, readFileSync(messagePath(name), "utf8").trimEnd()]);
  expect(received).toEqual(Object.fromEntries(golden));
  expect(standIn.log().filter(({ type }) => type === "harm")).toEqual([]);
});
