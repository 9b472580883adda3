import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { deliverByTmux, type TmuxDelivery } from "./deliver-by-tmux.ts";
import { HAS_TMUX } from "./testing/has-tmux.ts";
import { startStandIn, type StandIn } from "./testing/start-stand-in.ts";
import { startTmuxServer, type TmuxServer } from "./testing/start-tmux-server.ts";

const MESSAGE = "Checkpoint: the tests have not run since the last edit.";

/** A delivery to a stand-in, received when the stand-in was sent the message. */
function delivery(server: TmuxServer, standIn: StandIn, changed: Partial<TmuxDelivery> = {}): TmuxDelivery {
  const { message = MESSAGE } = changed;
  return {
    tmux: server.tmux,
    thread: standIn.thread,
    message,
    isStillWanted: () => true,
    wasReceived: () => standIn.submitted().includes(message),
    pollMs: 50,
    receiveTimeoutMs: 500,
    settleMs: 0,
    ...changed,
  };
}

/** Wanted for a while. */
function wantedFor(ms: number): () => boolean {
  const end = Date.now() + ms;
  return () => Date.now() < end;
}

test.runIf(!HAS_TMUX)("tmux is not on this machine: the tests with real panes are passed over", () => {
  expect(HAS_TMUX).toBe(false);
});

describe.runIf(HAS_TMUX)("nothing is typed", () => {
  interface Situation {
    readonly when: string;
    readonly shell?: boolean;
    readonly arrange: (standIn: StandIn, server: TmuxServer) => Promise<unknown>;
    readonly outcome: { readonly reason: string; readonly detail?: string };
  }
  const situations: readonly Situation[] = [
    {
      when: "an approval is open",
      arrange: ({ tell }) => tell({ show: "approval" }),
      outcome: { reason: "superseded", detail: "modal" },
    },
    {
      when: "a turn is running",
      arrange: ({ tell }) => tell({ show: "working" }),
      outcome: { reason: "superseded", detail: "working" },
    },
    {
      when: "the user types",
      arrange: ({ pane }, { tmux }) => tmux(["send-keys", "-t", pane, "-l", "hm"]),
      outcome: { reason: "superseded", detail: "draft" },
    },
    {
      when: "the pane is in copy mode",
      arrange: ({ pane }, { tmux }) => tmux(["copy-mode", "-t", pane]),
      outcome: { reason: "superseded", detail: "copy-mode" },
    },
    {
      when: "the transcript is browsed",
      arrange: ({ tell }) => tell({ show: "pager" }),
      outcome: { reason: "superseded", detail: "modal" },
    },
    {
      when: "Codex starts up",
      arrange: ({ tell }) => tell({ show: "start-up" }),
      outcome: { reason: "superseded", detail: "not-ready" },
    },
    {
      when: "a new conversation was begun",
      arrange: ({ tell }) => tell({ show: "new" }),
      outcome: { reason: "superseded", detail: "new-conversation" },
    },
    {
      when: "a side conversation is open",
      arrange: ({ tell }) => tell({ show: "side" }),
      outcome: { reason: "superseded", detail: "other-thread" },
    },
    {
      when: "panes are synchronized",
      arrange: ({ pane }, { tmux }) => tmux(["set-option", "-w", "-t", pane, "synchronize-panes", "on"]),
      outcome: { reason: "superseded", detail: "synchronized" },
    },
    {
      when: "the pane takes no input",
      arrange: ({ pane }, { tmux }) => tmux(["select-pane", "-d", "-t", pane]),
      outcome: { reason: "superseded", detail: "input-off" },
    },
    {
      when: "Codex has quit and the shell is back",
      shell: true,
      arrange: ({ tell }) => tell({ quit: true }),
      outcome: { reason: "superseded", detail: "not-codex" },
    },
    {
      when: "Codex is gone and its pane stays",
      arrange: async ({ pane, tell }, { tmux }) => {
        await tmux(["set-option", "-w", "-t", pane, "remain-on-exit", "on"]);
        await tell({ quit: true });
      },
      outcome: { reason: "none" },
    },
  ];
  test.for(situations)("while $when", async ({ shell, arrange, outcome }) => {
    const server = startTmuxServer();
    // Should it reach a shell after all, it leaves a file behind.
    const trace = join(server.folder, "trace");
    const standIn = await startStandIn(server, { shell: shell === true });
    await arrange(standIn, server);
    await sleep(100);
    const before = standIn.log();
    const delivered = await deliverByTmux(
      delivery(server, standIn, { message: `touch ${trace}`, isStillWanted: wantedFor(300) }),
    );
    expect(delivered).toMatchObject({ ok: false, ...outcome });
    await sleep(100);
    expect(standIn.log()).toEqual(before);
    expect(existsSync(trace)).toBe(false);
    expect(await server.tmux(["list-buffers"])).toEqual({ ok: true, stdout: "" });
  });

  test("into the empty composer that a prompt leaves behind before Codex says that it works", async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    await standIn.tell({ showWorkAfterMs: 300, workMs: 60_000 });
    await server.tmux(["send-keys", "-t", standIn.pane, "-l", "go on"]);
    const onWait = vi.fn<(reason: string) => void>();
    const isStillWanted = wantedFor(2500);
    const arriving = deliverByTmux(delivery(server, standIn, { settleMs: 1000, isStillWanted, onWait }));
    await vi.waitFor(() => expect(onWait).toHaveBeenCalledOnce());
    await server.tmux(["send-keys", "-t", standIn.pane, "Enter"]);
    expect(await arriving).toEqual({ ok: false, reason: "superseded", detail: "working" });
    expect(onWait.mock.calls.map(([reason]) => reason)).toEqual(["draft", "settling", "working"]);
    expect(standIn.log().filter(({ type }) => type === "paste")).toEqual([]);
  });

  test("when the pane is gone", async () => {
    const server = startTmuxServer();
    const [standIn, other] = [await startStandIn(server), await startStandIn(server)];
    await server.tmux(["kill-pane", "-t", standIn.pane]);
    expect(await deliverByTmux(delivery(server, standIn))).toMatchObject({ ok: false, reason: "none" });
    expect(other.log()).toEqual([]);
  });

  test("when there is no tmux server", async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    await server.tmux(["kill-server"]);
    expect(await deliverByTmux(delivery(server, standIn))).toMatchObject({ ok: false, reason: "no-server" });
  });

  test("of a text that could be a command", async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    const outcome = await deliverByTmux(delivery(server, standIn, { message: "!touch it" }));
    expect(outcome).toEqual({ ok: false, reason: "command-prefix" });
    expect(standIn.log()).toEqual([]);
  });
});

describe.runIf(HAS_TMUX)("a message arrives", () => {
  test("20 times of 20, with 30 lines, tabs and letters of many scripts", { timeout: 120_000 }, async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    const line =
      "\t- `src/größe.ts` — überprüfen ✅ 検査する, “quoted” $HOME; #{pane_id} 'x' \\ (see the list above, if you please, and then go on)";
    const messages = Array.from({ length: 20 }, (_, number) =>
      [`Checkpoint ${number}`, ...Array.from({ length: 29 }, (_, index) => `${index}.${line}`)].join("\n"),
    );
    expect(Buffer.byteLength(messages[0] ?? "")).toBeGreaterThan(4000);
    const outcomes = [];
    for (const message of messages) outcomes.push(await deliverByTmux(delivery(server, standIn, { message })));
    expect(outcomes).toEqual(messages.map(() => ({ ok: true })));
    expect(standIn.submitted()).toEqual(messages);
    expect(standIn.log().filter(({ type }) => type === "harm")).toEqual([]);
  });

  test("as soon as the approval is answered", async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    await standIn.tell({ show: "approval" });
    const onWait = vi.fn<(reason: string) => void>();
    const arriving = deliverByTmux(delivery(server, standIn, { onWait }));
    await sleep(300);
    expect(standIn.log()).toEqual([]);
    await standIn.tell({ show: "idle" });
    expect(await arriving).toEqual({ ok: true });
    expect(onWait.mock.calls.map(([reason]) => reason)).toEqual(["modal"]);
  });

  test("with one more Enter where the first was lost", async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    await standIn.tell({ ignoreEnters: 1 });
    expect(await deliverByTmux(delivery(server, standIn))).toEqual({ ok: true });
    expect(standIn.log().map(({ type }) => type)).toEqual(["paste", "key", "key", "submit"]);
  });

  test("each in its own pane", { timeout: 60_000 }, async () => {
    const server = startTmuxServer();
    const standIns = [await startStandIn(server), await startStandIn(server)];
    const messagesOf = ({ thread }: StandIn) =>
      Array.from({ length: 5 }, (_, number) => `Number ${number} for ${thread.id}.`);
    await Promise.all(
      standIns.map(async (standIn) => {
        for (const message of messagesOf(standIn)) await deliverByTmux(delivery(server, standIn, { message }));
      }),
    );
    expect(standIns.map(({ submitted }) => submitted())).toEqual(standIns.map(messagesOf));
  });
});

describe.runIf(HAS_TMUX)("a message that does not arrive", () => {
  test("is not sent into an approval that opens behind the paste", async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    await standIn.tell({ showAfterPaste: "approval" });
    const outcome = await deliverByTmux(delivery(server, standIn, { isStillWanted: wantedFor(3000) }));
    expect(outcome).toEqual({ ok: false, reason: "undelivered", detail: "modal" });
    expect(standIn.log().map(({ type }) => type)).toEqual(["paste"]);
  });

  test("is pasted twice at most", async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    const outcome = await deliverByTmux(delivery(server, standIn, { wasReceived: () => false }));
    expect(outcome).toEqual({ ok: false, reason: "undelivered" });
    expect(standIn.submitted()).toEqual([MESSAGE, MESSAGE]);
  });

  test("is not looked for elsewhere when its pane has gone", async () => {
    const server = startTmuxServer();
    const [standIn, other] = [await startStandIn(server), await startStandIn(server)];
    const wasReceived = async (): Promise<boolean> => {
      if (standIn.submitted().length > 0) await standIn.tell({ quit: true });
      return false;
    };
    const outcome = await deliverByTmux(delivery(server, standIn, { wasReceived }));
    expect(outcome).toMatchObject({ ok: false, reason: "undelivered" });
    expect(other.log()).toEqual([]);
  });

  test("is not typed again once it has arrived late", async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    await standIn.tell({ workMs: 60_000 });
    let isInRollout = false;
    const onWait = (): void => void (isInRollout = true);
    const outcome = await deliverByTmux(delivery(server, standIn, { wasReceived: () => isInRollout, onWait }));
    expect(outcome).toEqual({ ok: true });
    expect(standIn.submitted()).toEqual([MESSAGE]);
  });
});

describe.runIf(HAS_TMUX)("after an abort", () => {
  test("nothing is typed", async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    await standIn.tell({ show: "working" });
    const abort = new AbortController();
    const arriving = deliverByTmux(delivery(server, standIn, { signal: abort.signal, pollMs: 60_000 }));
    await sleep(300);
    abort.abort();
    expect(await arriving).toEqual({ ok: false, reason: "aborted" });
    await standIn.tell({ show: "idle" });
    expect(standIn.log()).toEqual([]);
  });

  test("a paste without its Enter is left alone", async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    await standIn.tell({ showAfterPaste: "approval" });
    const abort = new AbortController();
    const arriving = deliverByTmux(delivery(server, standIn, { signal: abort.signal }));
    await vi.waitFor(() => expect(standIn.log()).toHaveLength(1), { timeout: 5000 });
    abort.abort();
    await standIn.tell({ show: "idle" });
    expect(await arriving).toEqual({ ok: false, reason: "aborted" });
    await sleep(300);
    expect(standIn.log().map(({ type }) => type)).toEqual(["paste"]);
  });
});
