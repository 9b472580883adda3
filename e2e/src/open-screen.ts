import { setTimeout as sleep } from "node:timers/promises";
import type { OpenStage } from "./open-stage.ts";
import { INSIDE } from "./sandbox.ts";
import { until } from "./until.ts";

/** A program at a terminal screen of the stage's tmux server, and what a person can do there. */
export interface Screen {
  /** The expected text. */
  readonly picture: () => Promise<string>;
  readonly waitFor: (words: string) => Promise<void>;
  /** Types text, without Enter, and sees it. */
  readonly type: (text: string) => Promise<void>;
  /** Types text and presses Enter. */
  readonly enter: (text: string) => Promise<void>;
  /** Presses keys, in tmux's names. */
  readonly press: (...keys: readonly string[]) => Promise<void>;
  /** Any other tmux command on this screen: its name, and the arguments after the target. */
  readonly tmux: (command: string, ...rest: readonly string[]) => Promise<string>;
}

/** The name of the stage's tmux server. */
export const TMUX_SOCKET = "stage";

/** Starts a program at a new screen, in the project. */
export async function openScreen(stage: OpenStage, command: readonly string[]): Promise<Screen> {
  const run = async (...args: readonly string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await stage.run(["tmux", "-L", TMUX_SOCKET, "-f", "/dev/null", "-u", ...args]);
    if (exitCode !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const size = ["-x", "140", "-y", "50"];
  const opened = await run("new-session", "-d", "-P", "-F", "#{pane_id}", ...size, "-c", INSIDE.project, ...command);
  const pane = opened.trim();
  const tmux = (name: string, ...rest: readonly string[]) => run(name, "-t", pane, ...rest);
  await tmux("set-option", "remain-on-exit", "on");
  const picture = () => tmux("capture-pane", "-p");
  const waitFor = (words: string) =>
    until(
      async () => (await picture()).includes(words),
      async () => `${JSON.stringify(words)} on the screen\n${await picture()}`,
    );
  const type = async (text: string) => {
    await tmux("send-keys", "-l", text);
    await waitFor(text);
  };
  const press = async (...keys: readonly string[]) => {
    await tmux("send-keys", ...keys);
  };
  const enter = async (text: string) => {
    await type(text);
    // An Enter right after fast typing counts as part of a paste.
    await sleep(300);
    await press("Enter");
  };
  return { picture, waitFor, type, enter, press, tmux };
}
