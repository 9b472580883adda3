import { describe, expect, test, vi } from "vitest";
import { pasteMessage } from "./paste-message.ts";
import { HAS_TMUX } from "./testing/has-tmux.ts";
import { startStandIn } from "./testing/start-stand-in.ts";
import { startTmuxServer } from "./testing/start-tmux-server.ts";
import type { Tmux } from "./tmux.ts";

const MESSAGE = "First line.\n\tSecond line, übrigens.\n\nLast line.";

describe.runIf(HAS_TMUX)("pasteMessage", () => {
  test("pastes once, sees it, presses Enter once, and forgets the buffer", async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    const outcome = await pasteMessage(server.tmux, { pane: standIn.pane, message: MESSAGE });
    expect(outcome).toEqual({ pasted: true, submitted: true });
    await vi.waitFor(() =>
      expect(standIn.log()).toEqual([
        { type: "paste", text: MESSAGE, shown: "idle" },
        { type: "key", key: "\r", shown: "idle" },
        { type: "submit", text: MESSAGE, shown: "idle" },
      ]),
    );
    expect(await server.tmux(["list-buffers"])).toEqual({ ok: true, stdout: "" });
  });

  test("presses no Enter in an approval that opens behind the paste", async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    await standIn.tell({ showAfterPaste: "approval" });
    const outcome = await pasteMessage(server.tmux, { pane: standIn.pane, message: MESSAGE });
    expect(outcome).toEqual({ pasted: true, submitted: false, reason: "modal" });
    expect(standIn.log()).toEqual([{ type: "paste", text: MESSAGE, shown: "idle" }]);
  });

  test("presses no Enter in copy mode", async () => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    const intoCopyMode = interrupt(server.tmux, "paste-buffer", ["copy-mode", "-t", standIn.pane], "after");
    const outcome = await pasteMessage(intoCopyMode, { pane: standIn.pane, message: MESSAGE });
    expect(outcome).toEqual({ pasted: true, submitted: false, reason: "copy-mode" });
    expect(standIn.submitted()).toEqual([]);
  });

  const typing = [
    { moment: "before the paste", command: "paste-buffer", outcome: { pasted: false, reason: "changed" }, keys: 1 },
    {
      moment: "before Enter",
      command: "send-keys",
      outcome: { pasted: true, submitted: false, reason: "draft" },
      keys: 1,
    },
  ];
  test.for(typing)("gives way to a user who types just $moment", async ({ command, outcome, keys }) => {
    const server = startTmuxServer();
    const standIn = await startStandIn(server);
    const whileTyping = interrupt(server.tmux, command, ["send-keys", "-t", standIn.pane, "-l", "x"], "before");
    expect(await pasteMessage(whileTyping, { pane: standIn.pane, message: MESSAGE })).toEqual(outcome);
    expect(standIn.log().filter(({ type }) => type === "key")).toHaveLength(keys);
    expect(standIn.submitted()).toEqual([]);
    expect(await server.tmux(["list-buffers"])).toEqual({ ok: true, stdout: "" });
  });

  test("finds no pane where there is none", async () => {
    const server = startTmuxServer();
    await startStandIn(server);
    const outcome = await pasteMessage(server.tmux, { pane: "%99", message: MESSAGE });
    expect(outcome).toMatchObject({ pasted: false, reason: "no-pane" });
  });
});

/** A tmux to which something else happens right before or after its first command of a kind. */
function interrupt(tmux: Tmux, word: string, other: readonly string[], when: "before" | "after"): Tmux {
  let isOver = false;
  const happen = async (): Promise<void> => {
    isOver = true;
    await tmux(other);
    // The program behind the pane must have drawn it.
    await new Promise((resolve) => setTimeout(resolve, 100));
  };
  return async (args, input) => {
    const isMeant = !isOver && args.some((arg) => arg.startsWith(word));
    if (isMeant && when === "before") await happen();
    const result = await tmux(args, input);
    if (isMeant && when === "after") await happen();
    return result;
  };
}
