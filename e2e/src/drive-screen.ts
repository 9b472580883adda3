import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Something a person at the screen does: wait for words or for a file, wait a moment, type text and press Enter, press a
 * key (in tmux's names), or run a shell command elsewhere.
 */
export type ScreenStep =
  | { readonly waitFor: string }
  | { readonly waitForFile: string }
  | { readonly pauseMs: number }
  | { readonly enter: string }
  | { readonly press: string }
  | { readonly run: string };

/** A program, and what a person does at its screen. */
export interface ScreenRun {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly ScreenStep[];
  readonly timeLimitMs: number;
}

/** The last picture of a screen, and what went wrong there. */
export interface ScreenOutcome {
  readonly screen: string;
  readonly screenTrouble: string | null;
}

/** Runs a program on a terminal of its own tmux server, does the steps and ends it. */
export async function driveScreen({ command, env, steps, timeLimitMs }: ScreenRun): Promise<ScreenOutcome> {
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-L", "stage", "-f", "/dev/null", ...args], { env, encoding: "utf8" });
  const picture = (): string => tmux("capture-pane", "-p", "-t", "stage");
  const isOver = (): boolean => tmux("display-message", "-p", "-t", "stage", "#{pane_dead}").startsWith("1");
  const deadline = Date.now() + timeLimitMs;

  tmux("new-session", "-d", "-s", "stage", "-x", "140", "-y", "50", ...command);
  tmux("set-option", "-t", "stage", "remain-on-exit", "on");
  let screenTrouble: string | null = null;
  for (const step of steps) {
    screenTrouble = await take(step);
    if (screenTrouble) break;
  }
  const screen = picture();
  tmux("kill-server");
  return { screen, screenTrouble };

  /** Does one step; returns why it could not be done, or null. */
  async function take(step: ScreenStep): Promise<string | null> {
    if ("pauseMs" in step) await sleep(step.pauseMs);
    else if ("press" in step) tmux("send-keys", "-t", "stage", step.press);
    else if ("run" in step) execFileSync("sh", ["-c", step.run], { env });
    else if ("enter" in step) {
      tmux("send-keys", "-t", "stage", "-l", step.enter);
      // An Enter right after fast typing counts as part of a paste.
      await sleep(500);
      tmux("send-keys", "-t", "stage", "Enter");
    } else {
      const awaited = "waitFor" in step ? step.waitFor : step.waitForFile;
      while ("waitFor" in step ? !picture().includes(awaited) : !existsSync(awaited)) {
        if (isOver()) return `The program ended before ${JSON.stringify(awaited)} was seen`;
        if (Date.now() > deadline) return `Out of time waiting for ${JSON.stringify(awaited)}`;
        await sleep(100);
      }
    }
    return null;
  }
}
