import type { PaneFacts } from "../tmux/pane-facts.ts";

/** Whether Codex has a terminal: known from its processes, or else guessed from tmux's name for the program. */
export function isCodexProgram({ foreground, command }: Pick<PaneFacts, "foreground" | "command">): boolean {
  return foreground ? foreground.some(isCodexName) : isCodexName(command) || command === NPM_START;
}

/** Whether a process is Codex itself; the binary's name may end in its platform. */
export function isCodexName(name: string): boolean {
  return /^codex(-|$)/.test(name);
}

/** Installed with npm, Codex is started by a script. */
const NPM_START = "node";
