import type { Process } from "./read-processes.ts";

/**
 * The processes that have the terminal of a pane, given the pane's first process.
 * A stopped program is not among them, and Codex's daemon, though started by a screen, has no terminal at all.
 */
export function foregroundOf(processes: readonly Process[], panePid: number): readonly Process[] {
  const terminalGroup = processes.find(({ pid }) => pid === panePid)?.terminalGroup ?? -1;
  return terminalGroup <= 0 ? [] : processes.filter(({ group }) => group === terminalGroup);
}
