import { readFileSync } from "node:fs";
import { deliverByTmux } from "../../apps/codex-injector/src/tmux/deliver-by-tmux.ts";
import { createTmux } from "../../apps/codex-injector/src/tmux/tmux.ts";
import type { Thread } from "../../apps/codex-injector/src/tmux/find-pane.ts";
import { TMUX_SOCKET } from "./open-screen.ts";

/**
 * Delivers a message to a thread as the injector would, except that it is wanted all the time, whatever begins in the
 * thread, and that a thread without a pane is looked for again. Prints each new reason for waiting, and how it ended.
 * Called as `node deliver-on-stage.ts <thread as JSON> <message> <milliseconds>`.
 */
async function deliver(thread: Thread, message: string, milliseconds: number): Promise<void> {
  const end = Date.now() + milliseconds;
  const tmux = createTmux({ command: ["tmux", "-L", TMUX_SOCKET] });
  const said = new Set<string>();
  const say = (reason: string): void => {
    if (!said.has(reason)) console.log(reason);
    said.add(reason);
  };
  let isDelivered = false;
  while (!isDelivered && Date.now() < end) {
    const outcome = await deliverByTmux({
      tmux,
      thread,
      message,
      isStillWanted: () => Date.now() < end,
      wasReceived: () => readFileSync(thread.rolloutPath, "utf8").includes(JSON.stringify(message).slice(1, -1)),
      isOnlyThreadInFolder: () => true,
      pollMs: 50,
      onWait: say,
    });
    isDelivered = outcome.ok;
    say(outcome.ok ? "delivered" : outcome.reason);
  }
}

const [thread = "", message = "", milliseconds] = process.argv.slice(2);
await deliver(JSON.parse(thread) as Thread, message, Number(milliseconds));
