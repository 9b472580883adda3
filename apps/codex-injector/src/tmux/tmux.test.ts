import { describe, expect, test } from "vitest";
import { HAS_TMUX } from "./testing/has-tmux.ts";
import { startTmuxServer } from "./testing/start-tmux-server.ts";
import { createTmux } from "./tmux.ts";

test("a program that is not there: missing", async () => {
  expect(await createTmux({ command: ["no-such-tmux"] })(["-V"])).toMatchObject({ ok: false, reason: "missing" });
});

test("a program that does not answer: timeout", async () => {
  const tmux = createTmux({
    command: [process.execPath, "-e", "setTimeout(() => {}, 60_000)", "--"],
    timeLimitMs: 300,
  });
  expect(await tmux([])).toMatchObject({ ok: false, reason: "timeout" });
});

describe.runIf(HAS_TMUX)("a server", () => {
  test("that nobody started: no-server", async () => {
    const { tmux } = startTmuxServer();
    expect(await tmux(["list-panes", "-a"])).toMatchObject({ ok: false, reason: "no-server" });
  });

  test("is given input and gives output with every letter", async () => {
    const { tmux, openPane } = startTmuxServer();
    await openPane(["sleep", "60"]);
    await tmux(["load-buffer", "-b", "mine", "-"], "größe\n\t検査");
    expect(await tmux(["show-buffer", "-b", "mine"])).toEqual({ ok: true, stdout: "größe\n\t検査" });
  });

  test("without the pane: no-pane; with a wrong command: failed", async () => {
    const { tmux, openPane } = startTmuxServer();
    await openPane(["sleep", "60"]);
    expect(await tmux(["capture-pane", "-t", "%99"])).toMatchObject({ ok: false, reason: "no-pane" });
    expect(await tmux(["no-such-command"])).toMatchObject({ ok: false, reason: "failed" });
  });
});
