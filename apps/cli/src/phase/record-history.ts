import type { UnifiedCheckpoint } from "@agent-checkpoint/phases";
import type { PhaseEvent } from "@agent-checkpoint/store";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { withStore } from "../with-store.ts";

/** Adds the steps of a phase file to the store; the state is already saved, so a failure is only a warning. */
export async function recordHistory(
  { home, err, style }: CommandContext,
  root: string,
  checkpoint: UnifiedCheckpoint,
): Promise<void> {
  try {
    await withStore(home, (store) => store.phases.merge(root, historyOf(checkpoint)));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    err(`${style.warn("warning:")} the history was not written: ${error.message}\n`);
  }
}

/** The steps of a phase file, as the store records them. */
export function historyOf({ command, feature, events }: UnifiedCheckpoint): PhaseEvent[] {
  return events.map(({ at, phase, status, head_commit: headCommit }) => ({
    command,
    feature,
    phase,
    status,
    at: new Date(at),
    headCommit,
  }));
}
