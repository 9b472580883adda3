import type { Tmux, TmuxFault } from "../tmux/tmux.ts";
import type { PaneSighting } from "./choose-pane.ts";
import { foregroundOf } from "./foreground-of.ts";
import { isCodexProgram, isCodexName } from "./is-codex-program.ts";
import { readOpenRollouts } from "./read-open-rollouts.ts";
import { readProcesses, type Process } from "./read-processes.ts";

/** The panes of a tmux server, or why they could not be listed. */
export type GatheredPanes =
  | { readonly ok: true; readonly panes: readonly PaneSighting[] }
  | { readonly ok: false; readonly reason: TmuxFault; readonly detail: string };

/** Lists the living panes of a tmux server with what runs in them. */
export async function gatherPanes(tmux: Tmux): Promise<GatheredPanes> {
  const listed = await tmux(["list-panes", "-a", "-F", FORMAT]);
  if (!listed.ok) return listed;
  const processes = await readProcesses();
  // A window that two sessions share is listed twice.
  const lines = [...new Set(listed.stdout.split("\n").filter(Boolean))];
  return { ok: true, panes: await Promise.all(lines.filter(isAlive).map((line) => sightPane(line, processes))) };
}

const FORMAT = ["#{pane_dead}", "#{pane_id}", "#{pane_pid}", "pane_current_command", "pane_title", "pane_current_path"]
  .map((field) => (field.startsWith("#") ? field : `#{s/[\u0001-\u001F]/?/:${field}}`))
  .join("\t");

function isAlive(line: string): boolean {
  return line.startsWith("0\t");
}

async function sightPane(line: string, processes: readonly Process[] | null): Promise<PaneSighting> {
  const [, id = "", pid, command = "", title = "", path = ""] = line.split("\t");
  const inForeground = processes && foregroundOf(processes, Number(pid));
  const codexPids = inForeground?.filter(({ name }) => isCodexName(name)).map((process) => process.pid);
  return {
    id,
    title,
    path,
    runsCodex: isCodexProgram({ command, foreground: inForeground?.map(({ name }) => name) ?? null }),
    openRollouts: codexPids ? await readOpenRollouts(codexPids) : null,
  };
}
