import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { readPane } from "./read-pane.ts";
import { HAS_TMUX } from "./testing/has-tmux.ts";
import { startTmuxServer, type TmuxServer } from "./testing/start-tmux-server.ts";

/** A pane in which a shell has printed what it is told to, and sleeps. */
async function paneThatPrints(server: TmuxServer, text: string, cwd?: string): Promise<string> {
  const pane = await server.openPane(["sh", "-c", `printf '${text}done'; sleep 60`], cwd);
  await vi.waitFor(async () => {
    expect(await server.tmux(["capture-pane", "-p", "-t", pane])).toMatchObject({
      stdout: expect.stringContaining("done"),
    });
  });
  return pane;
}

describe.runIf(HAS_TMUX)("readPane", () => {
  test("tells all about a pane", async () => {
    const server = startTmuxServer();
    const pane = await paneThatPrints(server, String.raw`\033]0;Ready, 検査\007\033[2m› grey\033[0m\n  `);
    const read = await readPane(server.tmux, pane);
    expect(read).toMatchObject({
      ok: true,
      facts: {
        id: pane,
        title: "Ready, 検査",
        command: "sh",
        path: server.folder,
        isDead: false,
        isInMode: false,
        isInputOff: false,
        isSynchronized: false,
        isCursorShown: true,
        cursor: { x: 6, y: 1 },
        width: 100,
        height: 30,
        screen: expect.stringContaining("\u001B[2m› grey\n"),
      },
    });
  });

  const states = [
    {
      state: "a hidden cursor",
      arrange: ["display-message", ""],
      text: String.raw`\033[?25l`,
      facts: { isCursorShown: false },
    },
    { state: "copy mode", arrange: ["copy-mode"], text: "", facts: { isInMode: true } },
    { state: "input switched off", arrange: ["select-pane", "-d"], text: "", facts: { isInputOff: true } },
    {
      state: "synchronized panes",
      arrange: ["set-option", "-w", "synchronize-panes", "on"],
      text: "",
      facts: { isSynchronized: true },
    },
  ];
  test.for(states)("tells $state", async ({ arrange: [command = "", ...args], text, facts }) => {
    const server = startTmuxServer();
    const pane = await paneThatPrints(server, text);
    await server.tmux([command, "-t", pane, ...args]);
    expect(await readPane(server.tmux, pane)).toMatchObject({ ok: true, facts });
  });

  test("tells a dead pane", async () => {
    const server = startTmuxServer();
    const pane = await server.openPane(["sh", "-c", "read line"]);
    await server.tmux(["set-option", "-w", "-t", pane, "remain-on-exit", "on"]);
    await server.tmux(["send-keys", "-t", pane, "Enter"]);
    await vi.waitFor(async () =>
      expect(await readPane(server.tmux, pane)).toMatchObject({ facts: { isDead: true, foreground: [] } }),
    );
  });

  test("is not led astray by a folder's name", async () => {
    const server = startTmuxServer();
    const folder = join(server.folder, "two\nlines\tand a tab");
    mkdirSync(folder);
    const pane = await paneThatPrints(server, "here ", folder);
    expect(await readPane(server.tmux, pane)).toMatchObject({
      facts: { path: join(server.folder, "two?lines?and a tab"), screen: expect.stringMatching(/^here done\n/) },
    });
  });

  test("says that there is no such pane", async () => {
    const server = startTmuxServer();
    await paneThatPrints(server, "");
    expect(await readPane(server.tmux, "%99")).toMatchObject({ ok: false, reason: "no-pane" });
  });
});
