import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createTmux, type Tmux } from "../tmux.ts";

/** A tmux server of a test's own. */
export interface TmuxServer {
  readonly tmux: Tmux;
  readonly folder: string;
  /** Starts a program in a new window; returns the pane's id. */
  readonly openPane: (command: readonly string[], cwd?: string) => Promise<string>;
}

/** Starts a tmux server that ends with the test. */
export function startTmuxServer(): TmuxServer {
  const folder = mkdtempSync(join(tmpdir(), "tmux-test-"));
  const tmux = createTmux({
    command: ["tmux", "-L", `test-${randomUUID().slice(0, 8)}`, "-f", "/dev/null"],
    env: { TMUX_TMPDIR: folder, TMUX: "" },
  });
  onTestFinished(async () => {
    await tmux(["kill-server"]);
    rmSync(folder, { recursive: true, force: true });
  });
  async function openPane(command: readonly string[], cwd = folder): Promise<string> {
    const size = ["-x", "100", "-y", "30"];
    const opened = await tmux(["new-session", "-d", ...size, "-c", cwd, "-P", "-F", "#{pane_id}", ...command]);
    if (!opened.ok) throw new Error(`No pane: ${opened.detail}`);
    return opened.stdout.trim();
  }
  return { tmux, folder, openPane };
}
